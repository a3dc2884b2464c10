package policytest

// Sample is a proposal of 300 bytes to the desk policy, with an argument of every
// kind and a cause, which the test has to add to the policy.
const Sample = `{"tool":"transfer","target":"account-00004711-main-branch","args":{"amount":"1249.90","count":12,"note":"for May.",` +
	`"code":"EUR","urgency":"soon","express":false,"payee":"person-00000815-supplier"},` +
	`"rests_on":["observation-000017","observation-000018-again","belief-00000003-accounts"],"cause":"need"}`

// Escaped is a proposal with escapes in one of its texts.
const Escaped = `{"tool":"transfer","target":"account-00004711-main-branch","args":{"amount":"1249.90","count":12,"note":"a\n\u00e4\t\u00f6",` +
	`"code":"EUR","urgency":"soon","express":false,"payee":"person-00000815-supplier"},` +
	`"rests_on":["observation-000017","observation-000018"],"cause":"need"}`

// Typed is the struct that a person would write for Sample. A library that
// decodes into it checks no ranges, patterns, members or scale.
type Typed struct {
	Tool   string `json:"tool"`
	Target string `json:"target"`
	Args   struct {
		Amount  string `json:"amount"`
		Count   int64  `json:"count"`
		Note    string `json:"note"`
		Code    string `json:"code"`
		Urgency string `json:"urgency"`
		Express bool   `json:"express"`
		Payee   string `json:"payee"`
	} `json:"args"`
	RestsOn []string `json:"rests_on"`
	Cause   string   `json:"cause"`
}

// Causes of the sample.
func Causes() []string { return []string{"habit", "need"} }

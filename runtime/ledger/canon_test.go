package ledger

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fill sets every member of a value that a struct tag names, so that a member
// that the encoder forgets shows.
func fillAll(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillAll(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillAll(v.Field(i), n)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillAll(v.Index(i), n)
		}
	case reflect.String:
		v.SetString(strings.Repeat("w", *n%5+1) + `"\` + "\x01é")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(-*n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(*n % 200))
	default:
		panic("a kind that this test does not know: " + v.Kind().String())
	}
}

func oracle(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestCanonicalBytesAreTheStructs(t *testing.T) {
	n := 0
	full := new(Entry)
	fillAll(reflect.ValueOf(full).Elem(), &n)
	exhibit, mark := new(Exhibit), new(Mark)
	fillAll(reflect.ValueOf(exhibit).Elem(), &n)
	fillAll(reflect.ValueOf(mark).Elem(), &n)
	for _, tc := range []struct {
		name  string
		value any
		got   []byte
	}{
		{"entry, full", full, full.AppendCanonical(nil)},
		{"entry, zero", &Entry{}, (&Entry{}).AppendCanonical(nil)},
		{"exhibit, full", exhibit, exhibit.appendCanonical(nil)},
		{"exhibit, zero", &Exhibit{Proposal: []byte{}}, (&Exhibit{}).appendCanonical(nil)},
		{"mark, full", mark, mark.appendCanonical(nil)},
	} {
		if diff := cmp.Diff(oracle(t, tc.value), string(tc.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func zeroKinds(e Entry) []Entry {
	var out []Entry
	for i, kind := range Kinds() {
		k := e
		k.Kind = kind
		reflect.ValueOf(&k).Elem().Field(7 + i).Set(reflect.New(reflect.TypeFor[Entry]().Field(7 + i).Type.Elem()))
		out = append(out, k)
	}
	return out
}

// Every kind with all members empty: what is left out must be left out alike.
func TestCanonicalBytesOfEmptyMembers(t *testing.T) {
	for _, e := range zeroKinds(Entry{V: 1}) {
		if diff := cmp.Diff(oracle(t, &e), string(e.AppendCanonical(nil))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.Kind, diff)
		}
	}
}

// samples has one valid entry of every kind.
func samples() []Entry {
	base := func(seq uint64, step int, k Kind) Entry {
		return Entry{V: 1, Seq: seq, At: Time(epoch), Tenant: "acme", Run: "run-000001", Step: step, Kind: k}
	}
	started := started()
	d := decision("k1")
	d.Exhibit = someDigest
	d.Verdict.Flags = []string{"weekend"}
	d.Verdict.Failed = []string{"incident.prov:31", "incident.prov:33"}
	d.Verdict.Holds = []string{"score", "contract"}
	list := []Entry{base(1, 0, KindRunStarted), base(2, 1, KindDecision), base(3, 1, KindIntent), base(4, 1, KindOutcome),
		base(5, 1, KindVerification), base(6, 1, KindEvidence), base(7, 1, KindRunEnded)}
	list[0].RunStarted = &started
	list[1].Decision = d
	list[2].Intent = &Intent{Decision: 2, Tool: "rollback_config", Target: "inventory-api", Key: "k1"}
	list[3].Outcome = &Outcome{Intent: 3, Tool: "rollback_config", Status: StatusDone, Result: someDigest}
	list[4].Verification = &Verification{Intent: 3, By: "read_service", Verdict: Inconclusive, Why: WhyNeither, Line: "incident.prov:41"}
	list[5].Evidence = &Evidence{Verification: 5, Belief: "root_cause", Target: "inventory-api", State: "config_regression",
		Not: true, Class: "verified_system_observation"}
	list[6].RunEnded = &RunEnded{End: EndBounded, Reason: "max_steps_exceeded", Steps: 4, Usage: Usage{Steps: 4}}
	return list
}

func TestDecodeRefuses(t *testing.T) {
	good := map[Kind]string{}
	for _, e := range samples() {
		b, err := Encode(&e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(b); err != nil {
			t.Fatal(err)
		}
		good[e.Kind] = string(b)
	}
	for _, tc := range []struct {
		name     string
		kind     Kind
		old, new string
		want     string
	}{
		{"unknown member", KindIntent, `"tool"`, `"confidence":1,"tool"`, "unknown field"},
		{"another version", KindIntent, `"v":1`, `"v":2`, "entry version 2"},
		{"no version", KindIntent, `"v":1,`, ``, "entry version 0"},
		{"blank", KindIntent, `"v":1`, `"v": 1`, "not canonical"},
		{"member twice", KindIntent, `"step":1`, `"step":1,"step":1`, "not canonical"},
		{"other case", KindIntent, `"step"`, `"Step"`, "not canonical"},
		{"escape that is not needed", KindIntent, `acme`, `\u0061cme`, "not canonical"},
		{"number with a fraction", KindIntent, `"step":1`, `"step":1.0`, "decode"},
		{"number with an exponent", KindIntent, `"seq":3`, `"seq":3e0`, "decode"},
		{"null member", KindIntent, `"intent":`, `"decision":null,"intent":`, "not canonical"},
		{"trailing data", KindIntent, `"}}`, `"}}{}`, "not canonical"},
		{"trailing line", KindIntent, `"}}`, "\"}}\n", "not canonical"},
		{"cut", KindIntent, `"}}`, `"}`, "decode"},
		{"no seq", KindIntent, `"seq":3`, `"seq":0`, "no seq"},
		{"kind of another member", KindIntent, `"kind":"intent"`, `"kind":"outcome"`, "does not fit"},
		{"two members", KindIntent, `"intent":`, `"outcome":{"intent":1,"tool":"t","status":"done"},"intent":`, "does not fit"},
		{"unknown kind", KindIntent, `"kind":"intent"`, `"kind":"wish"`, "unknown kind"},
		{"reference forward", KindIntent, `"decision":2`, `"decision":3`, "refers to entry 3"},
		{"reference to nothing", KindIntent, `"decision":2`, `"decision":0`, "refers to entry 0"},
		{"local time", KindIntent, `09:30:00Z`, `11:30:00+02:00`, "canonical form"},
		{"time with zeros", KindIntent, `09:30:00Z`, `09:30:00.000Z`, "canonical form"},
		{"no tenant", KindIntent, `acme`, ``, "tenant is empty"},
		{"tenant with a zero byte", KindIntent, `acme`, `ac\u0000me`, "U+0000"},
		{"tool with an escape sequence", KindIntent, `rollback_config`, `\u001b[2J`, "U+001B"},
		{"tool with a line separator", KindIntent, `rollback_config`, "\u2028", "U+2028"},
		{"invalid UTF-8", KindIntent, `rollback_config`, "\xff", "not canonical"},
		{"long text", KindIntent, `rollback_config`, strings.Repeat("x", MaxID+1), "the most is"},
		{"step of a start", KindRunStarted, `"step":0`, `"step":1`, "step 1"},
		{"digest too short", KindRunStarted, someDigest, someDigest[1:], "a digest has 64"},
		{"digest in capitals", KindRunStarted, someDigest, strings.Repeat("A", 64), "hex"},
		{"mode", KindRunStarted, `"agent"}`, `"root"}`, "mode"},
		{"outcome of a verdict", KindDecision, `"outcome":"allow"`, `"outcome":"perhaps"`, "outcome"},
		{"reason with blanks", KindDecision, `"reason":"allowed"`, `"reason":"because I say so"`, "not a word"},
		{"negative usage", KindDecision, `"tokens":0`, `"tokens":-1`, "negative"},
		{"score beyond int32", KindDecision, `"score":2`, `"score":2147483648`, "decode"},
		{"status", KindOutcome, `"done"`, `"almost"`, "status"},
		{"verdict without why", KindVerification, `"why":"neither",`, ``, "why"},
		{"why of a clear verdict", KindVerification, `INCONCLUSIVE`, `CONFIRMED`, "why"},
		{"end", KindRunEnded, `"end":"bounded"`, `"end":"won"`, "end"},
	} {
		bad := strings.Replace(good[tc.kind], tc.old, tc.new, 1)
		if bad == good[tc.kind] {
			t.Errorf("%s: %q is not in %s", tc.name, tc.old, bad)
			continue
		}
		if _, err := Decode([]byte(bad)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v; want %q\n%s", tc.name, err, tc.want, bad)
		}
	}
}

func FuzzEntry(f *testing.F) {
	for _, e := range samples() {
		b, err := Encode(&e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Encode(&e)
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("decode took %q, encode gives %q, %v", b, again, err)
		}
	})
}

func FuzzExhibit(f *testing.F) {
	x := Exhibit{V: 1, Proposal: []byte(`{"tool":"t"}`), Attrs: []Attr{{Name: "a", Value: "\u2028\x00"}, {Name: "b", Absent: true}},
		Refs: "none", RefField: "args.to", Sources: "found", Facts: []Attr{{Name: "x", Value: "<&>"}}}
	b, err := x.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := DecodeExhibit(b)
		if err != nil {
			return
		}
		again, err := x.Encode()
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("decode took %q, encode gives %q, %v", b, again, err)
		}
	})
}

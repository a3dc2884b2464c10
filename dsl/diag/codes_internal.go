package diag

// Codes 9xx: internal errors.
const (
	Internal Code = 900
)

var internalInfos = []Info{
	{
		Code: Internal, Name: "Internal", Severity: Error,
		Title: "a fault of the compiler",
		Page: `Something that must hold inside the compiler did not. It is not a fault of the package, and nothing was written. The message
names the pass; please report it with the smallest package that shows it.`,
		Why: "there is none that is known",
	},
}

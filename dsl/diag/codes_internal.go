package diag

// Codes 9xx: internal errors.
const (
	Internal Code = 900
)

var internalInfos = []Info{}

package diag

// Codes 9xx: internal errors.
var internalInfos = []Info{}

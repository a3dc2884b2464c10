package diag

// Codes 7xx: tests and proofs.
var testInfos = []Info{}

package diag

// Codes 6xx: evidence and beliefs.
var evidenceInfos = []Info{}

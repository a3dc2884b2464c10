package diag

// Codes 2xx: names.
var nameInfos = []Info{}

package diag

// Codes 3xx: types and origins.
var typeInfos = []Info{}

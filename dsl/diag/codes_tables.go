package diag

// Codes 4xx: tables and risk.
var tableInfos = []Info{}

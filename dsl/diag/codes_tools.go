package diag

// Codes 5xx: tools, agents, policies, lifecycles.
var toolInfos = []Info{}

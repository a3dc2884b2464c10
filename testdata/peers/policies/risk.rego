package incident

# What a table does not have leaves the outcome undefined, which the host takes for hold.
band(score) := "allow" if score <= 3
else := "notify" if score <= 6
else := "hold"

outcome := band(sum([
	{"rollback_config": 1, "disable_compliance_checks": 4}[input.tool],
	{"tier1": 2, "tier2": 1, "tier3": 0}[input.tier],
	{"org_wide": 2, "multi_service": 1, "single": 0}[input.blast_radius],
	{"irreversible": 3, "reversible": 0}[input.effects],
]))


answer := "credential_expired" if input.identity == "expired"
else := "agent_unknown" if input.identity == "unknown"
else := "agent_suspended" if input.identity == "suspended"
else := "credential_invalid" if not {"good", "degraded"}[input.identity]
else := "unknown_tool" if not {"disable_compliance_checks", "read_service", "rollback_config", "scan_service", "scan_supplier"}[input.tool]
else := "tool_not_in_scope" if not {"disable_compliance_checks", "read_service", "rollback_config", "scan_supplier"}[input.tool]
else := "tool_not_allowlisted" if not {"disable_compliance_checks", "read_service", "rollback_config"}[input.tool]
else := "cross_tenant_denied" if input.tenant != input.target_tenant
else := "hold" if input.identity == "degraded"
else := "allow" if input.tool == "read_service"
else := outcome

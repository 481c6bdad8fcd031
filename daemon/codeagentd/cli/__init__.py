"""The operator's commands: `codeagentd status | index | call | …`, one module each."""

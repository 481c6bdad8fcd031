"""The commands of `codeagentd`, one module each, with its arguments, its work and its exit code."""

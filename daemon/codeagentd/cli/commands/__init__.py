"""The commands of `codeagentd`, one module each: its arguments, what it runs, and its exit code."""

"""The former place of `codeagentd.speculation`, from which daemons of 0.1.0 and older start a process."""

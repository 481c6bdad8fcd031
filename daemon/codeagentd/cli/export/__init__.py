"""What `codeagentd report` writes: the graph as the daemon sends it, and each form that it is written in."""

"""The export of `codeagentd report`: reading the graph from the daemon, and writing it in each format."""

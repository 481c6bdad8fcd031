"""The parts that shim, daemon and command line share: messages, endpoints, root policy, status shapes, error codes."""

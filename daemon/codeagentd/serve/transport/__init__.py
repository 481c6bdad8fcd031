"""The daemon's endpoints: ZeroMQ sockets, pipes and loopback listeners."""

"""The language server's methods: what an editor asks about positions in its documents, answered from the index."""

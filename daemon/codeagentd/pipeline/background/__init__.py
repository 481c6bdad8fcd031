"""Work that waits until no change is due: text search, slow files, links between files."""

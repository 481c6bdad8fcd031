"""Git and GitHub: files, revisions, comparisons and pull requests."""

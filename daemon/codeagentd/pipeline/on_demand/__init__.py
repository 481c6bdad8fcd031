"""The on-demand index: the files that questions ask for, indexed before the first index is whole."""

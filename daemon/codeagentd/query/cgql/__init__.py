"""CGQL: a small query language over the graph, with its parser and its executor."""

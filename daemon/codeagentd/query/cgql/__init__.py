"""CGQL: a small query language over the graph. Read by `reading`, answered by `running`."""

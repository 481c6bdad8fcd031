"""Analysis of the whole graph: communities, hubs, surprises, cycles. It is pure: values in, values out."""

"""What the whole graph says at once: communities, hubs, surprises, cycles. Pure: values in, values out."""

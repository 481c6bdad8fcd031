"""What search finds of what real people wrote: memories and questions as data, and the script that collected them."""

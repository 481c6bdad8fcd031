"""The views: one function for each kind of page, from a request to a template and its values."""

; Nothing in a page's text is a name.

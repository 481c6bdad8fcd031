"""The page of the daemon, for people: what is happening, and the code with its references, in a browser.

HTML is made here, by templates; scripts only make it live and quick. Only this package knows jinja2.
"""

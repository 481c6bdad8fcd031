"""Sessions over HTTP, with the features of a window's session, for clients that cannot start a process: off unless it
is turned on.

Only this package imports starlette and uvicorn.
"""

"""The same sessions over HTTP, for clients that cannot start a process: off unless it is turned on.

Only this package imports starlette and uvicorn.
"""

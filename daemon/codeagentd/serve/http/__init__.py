"""The same sessions over HTTP, for clients that cannot start a process: off unless asked for.

The home of starlette and uvicorn.
"""

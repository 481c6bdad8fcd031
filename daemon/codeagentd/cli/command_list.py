"""The commands in groups, each with a short description."""

from __future__ import annotations

from typing import Final

DAEMON: Final = "the daemon and its index"
GROUPS: Final[dict[str, dict[str, str]]] = {
    "ask about code": {
        "search": "find the code that answers a question in words or names",
        "explain": "search, and show who calls whom around the best hits",
        "symbol": "find where a name is defined",
        "outline": "list what a file defines",
        "describe": "describe a symbol: signature, callers, callees",
        "source": "print the source of a symbol",
        "open": "open a symbol or file in your editor, at its line",
        "refs": "list the places that refer to a symbol",
        "callers": "list what calls a symbol, with each call",
        "callees": "list what a symbol calls, with each call",
        "path": "find the shortest way between two symbols or files",
    },
    "before and after a change": {
        "impact": "list what a change of a symbol or file affects",
        "affected": "list what depends on a symbol or file, by hops; with --tests, the tests to run for a change",
        "predict": "forecast what a change may break: risk, public APIs, tests",
        "diff": "compare the code graph of two revisions",
        "refactor": "plan the renaming of a symbol, or verify that one is whole; changes nothing",
        "prs": "list pull requests, with what each touches (needs gh)",
    },
    "see the whole": {
        "architecture": "show parts, most used symbols and surprising connections",
        "report": "write what stands out in the code graph: GRAPH_REPORT.md, graph.html to look around in, graph.json",
        "query": "show the part of the graph that answers a question, or what a CGQL query matches",
        "stats": "count what is indexed: files, symbols, edges, languages",
        "languages": "list the languages that are supported, and how far",
    },
    "clients and tools": {
        "setup": "set up the clients of this machine, index this repository and show an answer; --undo removes it all",
        "install": "add this server to MCP clients, and the language server to editors; --list shows what is found",
        "uninstall": "take them out again",
        "mcp": "an MCP server for a client, on stdin and stdout; the same as codeagent-mcp",
        "lsp": "a language server for an editor, on stdin and stdout; the same as codeagent-lsp",
        "tools": "list toolsets and tools, and what each costs in tokens",
        "schema": "show the parameters of a tool, and how to call it",
        "call": "run one tool and print its answer as JSON",
        "memory": "list, show, copy, restore, export and import what agents keep",
    },
    DAEMON: {
        "status": "what the daemon of a repository is doing, and how fresh its index is",
        "ui": "open a page in the browser: the daemon live, the code with its references, memories and tasks",
        "index": "index changed files now; with --wait, return when the index is caught up",
        "map": "index one large repository with many machines, by shards of work in a store that they share",
        "start": "start the daemon in the background",
        "stop": "ask the daemon to finish its work and leave",
        "restart": "stop the daemon and start a new one; open windows stay connected",
        "run": "run the daemon in the foreground, for service managers and debugging",
        "serve": "serve all repositories in a folder over HTTP, read only and by revision; keys per user",
        "service": "have systemd or launchd keep the daemon of a repository: install, uninstall, status",
        "share": "facts of a team: push them to a store, pull them, see what it has",
        "logs": "print the daemon's log",
        "config": "show the settings in force and where each comes from",
        "gc": "remove indexes of worktrees and repositories that are gone, and what no index refers to",
        "doctor": "check environment, directories, limits, locks and index; say what to do, or do it (--fix)",
        "support": "write status, doctor, settings and logs into one file for whoever helps: no source, no secrets",
        "completion": "print the script by which bash, zsh or fish completes commands",
        "upgrade": "install a newer version, or one that is named, and have running daemons taken over",
        "version": "print the version",
        "help": "list the commands, or say more about one",
    },
}

OPERATIONS: Final = frozenset(GROUPS[DAEMON])  # commands whose modules are in commands.operations
COMMANDS: Final = {name: summary for group in GROUPS.values() for name, summary in group.items()}

# commands that call one tool; all of them are in one module
QUESTIONS: Final = frozenset(
    {
        "search",
        "symbol",
        "refs",
        "impact",
        "explain",
        "architecture",
        "path",
        "describe",
        "stats",
        "callers",
        "callees",
        "outline",
    }
)

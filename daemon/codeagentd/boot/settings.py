"""The settings in force, and the source of each.

The order of sources, the weakest first: defaults < the user's config.json < the repository's .codeagent/config.json <
environment < flags. A file with a mistake is left out as a whole and the mistake is reported: the daemon goes on
without it. The repository's file comes from its authors, who are not trusted: it may choose ignores, languages and
toolsets, and nothing that runs, binds or points elsewhere.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from codeagent_protocol import dirs
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.transport import VARIABLE
from codeagentd.base.limits import EXTRACT_DEADLINE_S, MAX_EMBEDDED_SYMBOLS, MAX_FILE_BYTES, MAX_INDEX_BYTES, WORKERS
from codeagentd.base.paths import CARE
from codeagentd.model.embedding import PACKAGED

USER_FILE: Final = "config.json"
REPOSITORY_FILE: Final = os.path.join(".codeagent", "config.json")
COMMAND_LINE: Final = "command line"
HIDDEN: Final = "(set)"
MAX_CONFIG_BYTES: Final = 1_000_000  # a configuration is a page; a longer file is no configuration

Pattern = Annotated[str, Meta(min_length=1, max_length=1_024)]
Word = Annotated[str, Meta(max_length=64, pattern=r"^[a-z0-9_+#-]*$")]
PublicKey = Annotated[str, Meta(max_length=60, pattern=r"^ed25519:[A-Za-z0-9+/]{43}=$")]
Host = Annotated[
    str, Meta(max_length=262, pattern=r"^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$")
]


class Limits(msgspec.Struct, frozen=True):
    """The limits for the size of one file, and for the work, the memory and the disk space of the daemon.
    `max_rss_bytes` 0: as the machine and the repository have it.
    """

    max_file_bytes: int = MAX_FILE_BYTES
    workers: int = WORKERS
    extract_deadline_s: float = EXTRACT_DEADLINE_S
    max_rss_bytes: int = 0
    max_index_bytes: int = MAX_INDEX_BYTES


class Embedding(msgspec.Struct, frozen=True):
    """The settings of semantic vectors; `model_path` is a local directory, '' for the model's default directory;
    `max_symbols`: how many symbols have one, 0 for all.
    """

    enabled: bool = True
    model: str = PACKAGED
    model_path: str = ""
    max_symbols: int = MAX_EMBEDDED_SYMBOLS


class WorkspaceSettings(msgspec.Struct, frozen=True):
    """The settings of workspaces. `trusted`: absolute paths of folders that may be members of a workspace, with all
    folders below them, also before they are indexed.
    """

    trusted: tuple[str, ...] = ()


class Share(msgspec.Struct, frozen=True):
    """The settings of a team's store of facts. `url` '': there is none; `pull`: new indexes begin with what it has;
    `max_bytes`: that one pull or push moves; `trusted_keys`: if there are any, one of them has to have signed what is
    pulled; `sign_with`: the file of the key that signs what is pushed, '' for none.
    """

    url: str = ""
    pull: bool = True
    max_bytes: int = 1_000_000_000
    trusted_keys: tuple[str, ...] = ()
    sign_with: str = ""


class MemorySettings(msgspec.Struct, frozen=True):
    """The settings of memories and tasks. `url`: a PostgreSQL server that a team shares, '' for this user's memory.db;
    it may have a password.
    """

    url: str = ""


class Settings(msgspec.Struct, frozen=True):
    """All settings. `languages` empty means all. `toolsets` is for windows that choose none. `idle_exit_s` 0 means
    never. `background`: text and vectors wait while the machine is busy or on battery, or another daemon
    works (considerate), or never wait (always). `transport`: windows reach the daemon at sockets
    (ipc), or at ports of this machine with keys (tcp, always so on Windows). `offline`: nothing is downloaded, not even
    a model. `query_log`: a file that gets a line for each question about the graph, '' for none. `http`: an address to
    listen on too, '' for none; it needs a key unless only this machine can reach it or `insecure` is set. `http_hosts`:
    further names by which clients of HTTP may address this machine, each with one port or with any.
    """

    ignore: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    toolsets: str = ""
    idle_exit_s: float = 900.0
    background: Literal["considerate", "always"] = "considerate"
    transport: Literal["ipc", "tcp"] = "ipc"
    log_level: str = "info"
    query_log: str = ""
    query_log_disable: bool = False
    offline: bool = False
    http: str = ""
    http_hosts: tuple[str, ...] = ()
    api_key: str = ""
    insecure: bool = False
    limits: Limits = Limits()
    embedding: Embedding = Embedding()
    memory: MemorySettings = MemorySettings()
    workspace: WorkspaceSettings = WorkspaceSettings()
    share: Share = Share()


class Key(NamedTuple):
    """One setting: the type of its values, the valid ones in words, its environment variable, and whether a repository
    may set it.
    """

    type: Any
    allowed: str
    variable: str = ""
    repository_may: bool = False


KEYS: Final[dict[str, Key]] = {
    "ignore": Key(Annotated[tuple[Pattern, ...], Meta(max_length=1_000)], "a list of gitignore patterns", "", True),
    "languages": Key(
        Annotated[tuple[Word, ...], Meta(max_length=200)], "a list of language names", "CODEAGENT_LANGUAGES", True
    ),
    "toolsets": Key(Annotated[str, Meta(max_length=1_000)], "toolset names, separated by commas", "", True),
    "idle_exit_s": Key(Annotated[float, Meta(ge=0, le=1e9)], "seconds; 0 for never", "CODEAGENT_IDLE_EXIT_S"),
    "background": Key(Literal["considerate", "always"], "considerate or always", "CODEAGENT_BACKGROUND"),
    "transport": Key(Literal["ipc", "tcp"], "ipc or tcp", VARIABLE),
    "log_level": Key(
        Literal["debug", "info", "warning", "error"], "debug, info, warning or error", "CODEAGENT_LOG_LEVEL"
    ),
    "query_log": Key(Annotated[str, Meta(max_length=4_096)], "a file, or empty", "CODEAGENT_QUERY_LOG"),
    "query_log_disable": Key(bool, "true or false", "CODEAGENT_QUERY_LOG_DISABLE"),
    "offline": Key(bool, "true or false", "CODEAGENT_OFFLINE"),
    "http": Key(Annotated[str, Meta(max_length=100)], "an address such as 127.0.0.1:8765, or empty", "CODEAGENT_HTTP"),
    "http_hosts": Key(
        Annotated[tuple[Host, ...], Meta(max_length=100)],
        "a list of host names such as box.example or box.example:8765",
        "CODEAGENT_HTTP_HOSTS",
    ),
    "api_key": Key(
        Annotated[str, Meta(max_length=1_000)], "a text that clients of HTTP have to know", "CODEAGENT_API_KEY"
    ),
    "insecure": Key(bool, "true or false", "CODEAGENT_INSECURE"),
    "limits.max_file_bytes": Key(
        Annotated[int, Meta(ge=1_000, le=1_000_000_000)], "bytes, at least 1000", "CODEAGENT_MAX_FILE_BYTES"
    ),
    "limits.workers": Key(Annotated[int, Meta(ge=1, le=64)], "a number from 1 to 64", "CODEAGENT_WORKERS"),
    "limits.extract_deadline_s": Key(
        Annotated[float, Meta(gt=0, le=600)], "seconds, up to 600", "CODEAGENT_EXTRACT_DEADLINE_S"
    ),
    "limits.max_rss_bytes": Key(
        Annotated[int, Meta(ge=100_000_000, le=1_000_000_000_000)],
        "bytes, at least 100000000",
        "CODEAGENT_MAX_RSS_BYTES",
    ),
    "limits.max_index_bytes": Key(
        Annotated[int, Meta(ge=1_000_000, le=1_000_000_000_000)], "bytes, at least 1000000", "CODEAGENT_MAX_INDEX_BYTES"
    ),
    "embedding.enabled": Key(bool, "true or false", "CODEAGENT_EMBEDDING"),
    "embedding.model": Key(Annotated[str, Meta(min_length=1, max_length=200)], "a model's name", "CODEAGENT_MODEL"),
    "embedding.model_path": Key(
        Annotated[str, Meta(max_length=4_096)], "a directory, or empty", "CODEAGENT_MODEL_PATH"
    ),
    "embedding.max_symbols": Key(
        Annotated[int, Meta(ge=0, le=1_000_000_000)], "a number; 0 for all", "CODEAGENT_EMBEDDING_MAX_SYMBOLS"
    ),
    "share.url": Key(
        Annotated[str, Meta(max_length=2_048)],
        "a folder, or a URL that begins with file, http, https, s3, gs or az; empty: none",
        "CODEAGENT_SHARE_URL",
    ),
    "share.pull": Key(bool, "true or false", "CODEAGENT_SHARE_PULL"),
    "share.max_bytes": Key(
        Annotated[int, Meta(ge=1_000_000, le=1_000_000_000_000)], "bytes, at least 1000000", "CODEAGENT_SHARE_MAX_BYTES"
    ),
    "share.trusted_keys": Key(
        Annotated[tuple[PublicKey, ...], Meta(max_length=100)], "a list of public keys of `codeagentd share key`"
    ),
    "share.sign_with": Key(
        Annotated[str, Meta(max_length=4_096)],
        "a file that `codeagentd share key` has written, or empty",
        "CODEAGENT_SHARE_SIGN_WITH",
    ),
    "memory.url": Key(
        Annotated[str, Meta(max_length=2_000)],
        "a connection string such as postgresql://me@db.example/team, or empty",
        "CODEAGENT_MEMORY_URL",
    ),
    "workspace.trusted": Key(Annotated[tuple[Pattern, ...], Meta(max_length=1_000)], "a list of absolute folders"),
}

_LISTS: Final = ("ignore", "languages", "http_hosts")


class Problem(msgspec.Struct, frozen=True):
    """A mistake in one source of settings: the source and the place in it, the fault, and the remedy."""

    source: str
    message: str
    remedy: str


class Loaded(msgspec.Struct, frozen=True):
    """The settings in force, the source of each key that has no default value, and the sources that could not be
    used.
    """

    settings: Settings
    origins: dict[str, str]
    problems: tuple[Problem, ...] = ()


class _Mistake(Exception):
    """Raised for one value, key or file that cannot be used."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


def load(root: str, variables: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Loaded:
    """Return the settings in force for the repository at `root`, from all sources.

    Never raises for mistakes in a source: `problems` lists them. `flags` maps keys to values; None means that the flag
    was not used.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    problems: list[Problem] = []
    for source, read in _sources(root, variables, flags or {}):
        try:
            layers = read()
        except _Mistake as mistake:
            problems.append(Problem(source, mistake.message, mistake.remedy))
            continue
        values |= layers
        origins |= dict.fromkeys(layers, source)
    return Loaded(_settings(values), origins, tuple(problems))


def _sources(
    root: str, variables: Mapping[str, str], flags: Mapping[str, Any]
) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield every source: its name, and a function that reads it. The weakest source comes first."""
    user, repository = str(dirs.config_dir() / USER_FILE), os.path.join(root, REPOSITORY_FILE)
    yield user, partial(_from_own_file, user)
    yield repository, partial(_from_file, repository, tuple(name for name, key in KEYS.items() if key.repository_may))
    for name, key in KEYS.items():
        if key.variable:
            yield key.variable, partial(_from_variable, name, variables)
    yield (
        COMMAND_LINE,
        partial(_checked, {name: value for name, value in flags.items() if value is not None}, tuple(KEYS)),
    )


def in_force(settings: Settings) -> dict[str, Any]:
    """Return every key with its value, as `codeagentd config` shows them; for a secret only whether it is set."""
    secrets = {"api_key": settings.api_key, "memory.url": settings.memory.url}
    shown = {name: HIDDEN if value else "" for name, value in secrets.items()}
    return _flat(msgspec.to_builtins(settings), ()) | shown


def _from_own_file(path: str) -> dict[str, Any]:
    """The settings of the user's file. It may name programs' addresses and keys, so that no other user may write it."""
    try:
        dirs.check_path(path)
    except EngineUnavailable as error:
        raise _Mistake(error.message, error.remedy) from None
    return _from_file(path, tuple(KEYS))


def _from_file(path: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    text = _read(path)
    if text is None:
        return {}
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise _Mistake(f"line {error.lineno}, column {error.colno}: {error.msg}", "correct the JSON there") from None
    except (ValueError, RecursionError):
        raise _Mistake("this is no JSON that anybody wrote", "write one JSON object") from None
    if not isinstance(content, dict):
        raise _Mistake("the file does not hold a JSON object", 'write {"key": value, …}')
    return _checked(_flat(content, ()), allowed)


def _read(path: str) -> str | None:
    """The text of a file; None when it does not exist.

    Only regular files are opened: a planted FIFO would block every start.
    """
    try:
        fd = os.open(path, os.O_RDONLY | CARE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _Mistake(f"it cannot be read: {error.strerror}", "make it a regular file that you can read") from None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise _Mistake("it is not a regular file", "make it one, or remove it")
        content = os.read(fd, MAX_CONFIG_BYTES + 1)
    finally:
        os.close(fd)
    if len(content) > MAX_CONFIG_BYTES:
        raise _Mistake(f"it is longer than {MAX_CONFIG_BYTES} bytes", "shorten it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Mistake(f"byte {error.start} is not UTF-8", "save it as UTF-8") from None


def _flat(content: Mapping[str, Any], above: tuple[str, ...]) -> dict[str, Any]:
    """Flatten nested settings: {"limits": {"workers": 2}} becomes {"limits.workers": 2}. Only known groups are
    flattened.
    """
    flat: dict[str, Any] = {}
    for name, value in content.items():
        path = ".".join((*above, str(name)))
        is_group = isinstance(value, dict) and any(key.startswith(f"{path}.") for key in KEYS)
        flat |= _flat(value, (*above, str(name))) if is_group else {path: value}
    return flat


def _checked(values: Mapping[str, Any], allowed: tuple[str, ...]) -> dict[str, Any]:
    return {name: _converted(name, value, allowed) for name, value in values.items()}


def _converted(name: str, value: Any, allowed: tuple[str, ...]) -> Any:
    shown = name if len(name) <= 60 else f"{name[:57]}…"
    if name not in KEYS:
        raise _Mistake(f"unknown key {shown!r}", f"the keys are: {', '.join(allowed)}")
    if name not in allowed:
        raise _Mistake(
            f"{name!r} may not be set by a repository",
            f"set it in your own {USER_FILE}; a repository may set: {', '.join(allowed)}",
        )
    try:
        return msgspec.convert(value, KEYS[name].type)
    except msgspec.ValidationError:
        raise _Mistake(f"{name!r} does not fit", f"make it {KEYS[name].allowed}") from None


def _from_variable(name: str, variables: Mapping[str, str]) -> dict[str, Any]:
    key = KEYS[name]
    text = variables.get(key.variable, "").strip()
    if not text:
        return {}
    value: Any = [part.strip() for part in text.split(",") if part.strip()] if name in _LISTS else text
    try:
        # strict=False: a variable is text, and "2" is a number there
        return {name: msgspec.convert(value, key.type, strict=False)}
    except msgspec.ValidationError:
        raise _Mistake(f"{key.variable} does not fit", f"make it {key.allowed}") from None


def _settings(values: Mapping[str, Any]) -> Settings:
    tree: dict[str, Any] = {}
    for name, value in values.items():
        group, _, leaf = name.rpartition(".")
        (tree.setdefault(group, {}) if group else tree)[leaf] = value
    return msgspec.convert(tree, Settings)

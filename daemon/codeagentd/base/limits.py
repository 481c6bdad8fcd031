"""Limits of the daemon: every cap in one table, with its unit and its reason."""

from __future__ import annotations

from typing import Final

# Paths
MAX_PATH_BYTES: Final = 4_096  # bytes; PATH_MAX of Linux: no longer path can be opened in one call
MAX_NAME_BYTES: Final = 255  # bytes; NAME_MAX of every common file system
MAX_SYMLINK_HOPS: Final = 40  # links followed for one path; what the Linux kernel allows

# Files
TEXT_SAMPLE_BYTES: Final = (
    8_192  # bytes looked at to tell binary, minified and generated files; git uses 8,000 for the first
)
GENERATED_LINES: Final = 12  # lines; a generator signs at the top, below a licence or a shebang
LONG_LINE_BYTES: Final = 1_000  # bytes; such lines are not written by hand
MINIFIED_SAMPLE_BYTES: Final = 2_048  # bytes; below this a long line costs nothing

# Texts that no grammar reads, in text search
DATA_HEAD_LINES: Final = 100  # of data: names of columns, a header and the first rows; two chunks
DATA_HEAD_CHARACTERS: Final = 10_000  # of data with long lines
# bytes above which such a text may be data by what it consists of; smaller ones cost little
JUDGED_DATA_BYTES: Final = 65_536
# bytes above which every such text is data: of 9,000 in 20 repositories the longest hand-written one had 0.7 MB
HAND_WRITTEN_BYTES: Final = 1_048_576

# Ignore rules
MAX_IGNORE_FILE_BYTES: Final = 1_048_576  # bytes of one .gitignore; the longest known are some 100 KB
MAX_PATTERN_BYTES: Final = 1_024  # bytes of one pattern; a longer one matches no name worth the time

# Git
GIT_LIST_DEADLINE_S: Final = (
    20.0  # seconds for ls-files; 100k files take 0.06 s warm; a pipe planted as .gitignore blocks git for ever
)
GIT_QUICK_DEADLINE_S: Final = 5.0  # seconds for a question that reads a few small files
# seconds for a search through all files; 1.1 GB in 78,000 files take 1.5 warm, 15 from a slow disk
GIT_GREP_DEADLINE_S: Final = 30.0
GIT_HISTORY_DEADLINE_S: Final = (
    30.0  # seconds for a question about history; a diff of 200 commits takes 0.1 s, listing a large tree 1 s
)
GIT_CALL_S: Final = (
    20.0  # seconds of one call for all its questions to git; a configuration of many includes makes each of them slow
)
BLOBS_AT_ONCE: Final = 500  # objects read by one git: its output is in memory as a whole
GH_DEADLINE_S: Final = 30.0  # seconds for a question to GitHub; a list of 100 with their checks takes 3
MAX_GH_BYTES: Final = 32_000_000  # bytes of one of its answers; 100 pull requests with 100 checks each have 3 MB
REVISION_DEADLINE_S: Final = (
    100.0  # seconds for the graphs of two revisions; two of 1,700 files take 6, and a caller waits for at most 120
)
GIT_CHECKOUT_DEADLINE_S: Final = 120.0  # seconds to write a commit's files; 60,000 of them take about 10
# seconds for what commands have written; 60,000 files take 0.3, and a pipe planted as .gitignore blocks git for ever
GIT_WRITTEN_DEADLINE_S: Final = 10.0
MAX_GIT_FILE_BYTES: Final = 64 * 1_024 * 1_024  # bytes of packed-refs; 1 million refs are about 60 MB
# bytes of heap of one git (packs that it maps do not count): 80,000 tracked files take 20 MB, a blob its own size
MAX_GIT_MEMORY_BYTES: Final = 2 * 1_024**3
MAX_GIT_OUTPUT_BYTES: Final = 2_000_000_000  # bytes of one answer of git; 500 blobs of the largest size have half of it
# and in a server of many repositories; the list of a million files is some 100 MB
MAX_SERVED_GIT_OUTPUT_BYTES: Final = 256_000_000
MAX_REF_HOPS: Final = 5  # symbolic references followed from HEAD; git's own limit
MAX_WORK_TREES: Final = 1_000  # linked work trees of a repository that are looked at; agents make dozens
# seconds for the comparison of all tracked files with HEAD, in the background; 80,000 take 0.3 warm, more from a disk
GIT_DIRTY_DEADLINE_S: Final = 60.0
# seconds without a change before the work tree is compared with HEAD: a checkout or a build writes many files
DIRTY_SETTLE_S: Final = 0.3
DIRTY_SHARE: Final = 20  # the comparison is repeated after at least this many times its own duration
DIRTY_AGE_S: Final = 60.0  # seconds after which it is repeated with the next answer: some tracked files are not watched

# Other repositories
MAX_PATH_PARTS: Final = 64  # folders of a path that are looked at for a repository of their own
# folders looked at for repositories in ignored folders: node_modules alone may have thousands
MAX_IGNORED_FOLDERS: Final = 2_000

# Speculation
COMMAND_DEADLINE_S: Final = 300  # seconds for one command (page 002's origin)
MAX_OVERLAY_FILES: Final = 10_000  # files copied from the work tree
MAX_OVERLAY_BYTES: Final = 268_435_456  # bytes of them together
MAX_WRITTEN_BYTES: Final = (
    4_294_967_296  # bytes of one file that a command writes; large linked programs have about 1 GB
)
# bytes of the disk with the throwaway trees that commands leave to others; half of what is free, where that is less
LEAST_FREE_BYTES: Final = 1_073_741_824
OUTPUT_KEPT_BYTES: Final = 65_536  # of what a command writes, the last; all else is read and dropped
OUTPUT_TOLD: Final = 6_000  # characters of a command's output in an answer: some 2,000 tokens
LOCK_PATIENCE_S: Final = 5.0  # seconds for the process of a daemon that was killed to clean up

# Watching
INOTIFY_READ_BYTES: Final = (
    131_072  # bytes per read: some 4,000 events, handled in about 10 ms, before waiting syncs are served
)
WATCH_VERIFY_S: Final = 2.0  # seconds in which a new watch has to report a test file, before polling replaces it
POLL_INTERVAL_S: Final = 2.0  # seconds between two scans where watches deliver nothing
POLL_SHARE: Final = 10  # a polling scan is repeated after at least this many times its own duration
ROOT_RETRY_S: Final = 1.0  # seconds between looks for a repository root that has gone away
COOKIE_PATIENCE_S: Final = 10.0  # seconds after which a sync cookie is taken for lost

# Extraction
# bytes of one source; the longest hand-written ones known (checker.ts) have 3 MB
MAX_FILE_BYTES: Final = 4 * 1_024 * 1_024
EXTRACT_DEADLINE_S: Final = (
    20.0  # seconds of a core for one file; 4 MB of C headers take 16, what hangs a parser never ends
)
# seconds of a core for one file while others wait; two of 74,000 files that were measured took longer, 1.4 and 3.2
PROMPT_DEADLINE_S: Final = 1.0
# seconds of a core that slow files of one batch may waste until those that may be slow as well are no longer tried
# beside others
PROMPT_BUDGET_S: Final = 2.0
PROMPT_SHARE_S: Final = (
    0.02  # seconds for each file of the batch on top of that: an index of 70,000 files takes 20 minutes anyway
)
LEAST_DEADLINE_S: Final = 1.0  # seconds of a core that any file gets in the end, however many slow ones there were
# seconds of a core that files read alone may waste until deadlines are that: the first gets the whole deadline, the
# tenth 2 s
SLOW_BUDGET_S: Final = 80.0
LARGE_BYTES: Final = 65_536  # bytes of a file that may take long; the slowest smaller one that was measured takes .4 s
# brackets in each other; the deepest of 74,000 files had 1,217, strings included; time grows by the square, 4,000 take
# up to 1 s
MAX_NESTING: Final = 4_000
WORKERS: Final = 2  # extract processes; each costs 30-40 MB, two are enough to keep one writer busy
JOBS_PER_REQUEST: Final = (
    12  # files handed to a worker at once: few enough to share the work evenly, enough to hide the pipe
)
LINKS_PER_REQUEST: Final = (
    48  # files to resolve handed to a worker at once: each takes a fifth of the time of its extraction
)
# symbols that a worker reads at once to resolve files, if the repository has no more; some 700 bytes each
WARM_SYMBOLS: Final = 150_000
# Python's memory blocks that a worker fills with what it finds while it resolves files, before it drops that: 200 MB
KEPT_BLOCKS: Final = 2_500_000
WORKER_IDLE_S: Final = 60.0  # seconds without work after which workers are ended
# seconds after a save during which a worker waits for the next: starting one makes a save wait 0.4 s, warm it waits
# 0.02
EDITING_S: Final = 900.0
COMMIT_S: Final = (
    2.0  # seconds that what was read waits for what is still being read, before it is committed without that
)
COMMIT_FILES: Final = (
    200  # files of one transaction while many are indexed; with 500 the daemon needs 20 MB more, and no less time
)
COMMIT_SYMBOLS: Final = 50_000  # symbols of one such transaction: a generated header has as many as 2,000 usual files
DEBOUNCE_S: Final = 0.04  # seconds that a change waits for further changes when no request waits
RACY_S: Final = 2.0  # seconds; a file changed so recently may change again within its time stamp's grain
BULK_RESOLVE_FILES: Final = 250  # files; above, resolution is shared by the workers
# bytes of files that are resolved in the transaction of a save; of more, what the save defines is committed before:
# resolving takes 4 us a byte
RESOLVED_AT_ONCE_BYTES: Final = 50_000
OBSERVER_RESCAN_S: Final = (
    300.0  # seconds after which a Windows watch, which loses events silently, is checked by a scan
)

# Projects
MAX_MANIFEST_BYTES: Final = 1_048_576  # bytes of one package.json, .csproj and their like; large ones have some 100 KB
MAX_SETUP_LENGTH: Final = 131_072  # characters of one setup.py; its syntax tree has up to 450 times as many bytes
MAX_MANIFESTS: Final = 10_000  # manifests read for one repository, outermost first; large monorepos have some 2,000
MAX_EXTENDS: Final = 16  # tsconfig.json files that one of them extends, cycles included
MAX_ENTRIES: Final = 1_000  # exports, workspaces or path aliases of one manifest
MAX_PROJECT_NAME: Final = 214  # characters; npm's own limit
# parts of one dotted TOML key; tomllib takes quadratic time: 8,000 take a second, the million that a file can have
# hours
MAX_KEY_PARTS: Final = 32
MAX_VERSIONS: Final = 3  # versions listed of one package; npm trees and workspaces may have a dozen

# Workspaces
# repositories and folders of one workspace; each costs a millisecond in every question that looks at all of them
MAX_MEMBERS: Final = 100
MAX_WORKSPACE_FOLDERS: Final = (
    2_000  # entries of folders looked at for one pattern: it comes from the repository, and may mean a whole disk
)
MAX_WORKSPACE_LOOKS: Final = 20_000  # the same, for all patterns together
MAX_SURVEY_S: Final = 0.5  # seconds of processor time for all of it; 100 members in 1,000 folders take 0.05
MAX_WORKSPACE_DEPTH: Final = 32  # folders below each other that one pattern may name
MEMBER_BUSY_S: Final = (
    0.25  # seconds that a question waits for a member's index; readers of SQLite's log seldom wait at all
)
# seconds of one request for following packages into members; the rest is reported, and continues with the next request
MEMBERS_DEADLINE_S: Final = 2.0
SURVEY_S: Final = 2.0  # seconds after which the files that name the members are read again

# Outlines
# keys of one data file, rules of one style sheet; more are a table of data or generated, and not read as an
# outline
MAX_KEYS: Final = 2_000
MAX_SECTIONS: Final = 2_000  # of one text that is read by lines: whole levels, from the outermost on; as MAX_KEYS
MAX_HEADING_BYTES: Final = 300  # of a line that is a heading; longer ones are text
MAX_HEADING_LEVEL: Final = 20  # deeper headings have this level: names of sections hold those around them
MAX_FENCES: Final = 500  # fences of one document that are parsed; a manual of 10,000 lines has some 300

# Calls
SLOW_CALL_S: Final = (
    1.0  # seconds of a tool's own work, without waiting for the index, after which a call is logged; most take 0.01
)

# Status
MAX_EXTENSIONS: Final = 50  # extensions of unknown files that status tells apart, the most frequent first
MAX_EXTENSION: Final = 16  # characters behind a dot that are an extension; longer ones are part of a name

# Consideration for the machine
# bytes of the daemon's own process, if the settings say nothing: this much on any machine, a part of the memory of a
# large one, and some for each file, so that what stays above is a fault
MAX_RSS_BYTES: Final = 1_000_000_000
RSS_SHARE: Final = 16
RSS_PER_FILE: Final = 5_000  # paths, sizes and times, and the plan of a first index
RSS_PATIENCE_S: Final = 60.0  # seconds above that until the daemon makes way for a new one; a batch's peak passes
RSS_LOOK_S: Final = 30.0  # seconds between two checks: one wake-up of an idle daemon
# seconds that a daemon has to have lived for that: one that needs so much from its start would only come and go
RESTART_APART_S: Final = 600.0
MAX_INDEX_BYTES: Final = (
    8_000_000_000  # bytes of index.db; 100,000 files take about 1 GB, so that something generated is being indexed
)
CARE_S: Final = 5.0  # seconds between two checks of load, battery and slots while background work waits or runs
# load a core at which background work pauses: it is niced, and takes a share worth speaking of only in memory and
# caches
LOAD_HIGH: Final = 4.0
LOAD_LOW: Final = 2.0  # load a core at which it goes on; a build with twice as many jobs as cores has this
BACKGROUND_DAEMONS: Final = (
    2  # daemons of one user that do background work at once; each has a model of 200 MB and one busy core
)
TURN_S: Final = 60.0  # seconds after which a daemon lets others have its slot
NICENESS: Final = 15  # of background work: 3 % of a core beside what is not nice
RESTING_S: Final = (
    60.0  # seconds between two checks for maintenance when there is no work: 50 idle daemons wake once a second
)
# symbols that have a vector, the most referenced first: six minutes of a core at 140 a second, and 10 ms of a search
MAX_EMBEDDED_SYMBOLS: Final = 50_000

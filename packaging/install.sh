#!/bin/sh
# Installs codeagentd for one user: `sh install.sh`, `sh install.sh --help`.
#
# Everything is installed into a virtual environment of its own, from the index, with each file checked by the hash that
# stands at the end of this script. The environment takes the place of an earlier one only once it works.
# `make release` appends the version, the hashes and the call of `main` to packaging/install.sh.
set -eu
umask 022

usage() {
    cat <<'TEXT'
usage: sh install.sh [options]

Install codeagentd, codeagent-mcp and codeagent-lsp for the current user. It needs Python 3.11 or newer, or uv.

  --from DIR      take the wheel of codeagentd from this folder; its dependencies come from the index all the same
  --bin DIR       where to link the programs (default: XDG_BIN_HOME, else ~/.local/bin)
  --python PATH   the Python to use (default: the newest of python3.14 … python3.11 and python3)
  --rollback      go back to the version that was there before the last one
  --uninstall     remove what this script installed; memories, settings and indexes stay
  --help          print this text
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

absolute() { (cd -- "$1" 2>/dev/null && pwd -P) || fail "there is no folder $1"; }

programs='codeagentd codeagent-mcp codeagent-lsp'
manuals='man/man1 bash-completion/completions fish/vendor_completions.d' # below share of an environment, and of a user

# whether a path is a link into the installation, or nothing: only then it is ours to change
ours() {
    case $(readlink "$1" 2>/dev/null) in
        "$root"/*) return 0 ;;
        *) test ! -e "$1" && test ! -L "$1" ;;
    esac
}

point() { # LINK TARGET: replaces a link in one step, so that there is always one
    ln -s "$2" "$1.new.$$"
    "$new/bin/python" -c 'import os, sys; os.replace(*sys.argv[1:])' "$1.new.$$" "$1"
}

link() { # LINK TARGET
    test "$(readlink "$1" 2>/dev/null)" = "$2" && return
    mkdir -p "$(dirname "$1")"
    ln -sf "$2" "$1"
}

link_all() {
    for program in $programs; do
        link "$bin/$program" "$current/bin/$program"
    done
    for folder in $manuals; do
        for file in "$current/share/$folder"/codeagent*; do
            place=$data/$folder/${file##*/}
            if [ -e "$file" ] && ours "$place"; then link "$place" "$file"; fi
        done
    done
}

unlink_all() {
    for program in $programs; do
        if ours "$bin/$program"; then rm -f "$bin/$program"; fi
    done
    for folder in $manuals; do
        for place in "$data/$folder"/codeagent*; do
            if ours "$place"; then rm -f "$place"; fi
        done
    done
}

uninstall() {
    test -d "$versions" || test -L "$current" || fail "there is nothing to uninstall in $root"
    unlink_all
    rm -rf "$versions" "$current" "$previous"
    rmdir "$root" 2>/dev/null || say "memories and other data of codeagentd stay in $root"
    say 'codeagentd is removed; clients that still name it will say that it is not there'
}

rollback() {
    test -L "$previous" || fail "there is no earlier version in $root"
    new=$(readlink "$previous")
    point "$previous" "$(readlink "$current")"
    point "$current" "$new"
    link_all
    say "back to $("$current/bin/codeagentd" version). The newer one is still there: --rollback again goes forward."
}

usable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; }

find_python() {
    if [ -n "$python" ]; then
        usable "$python" || fail "$python is no Python 3.11 or newer with venv and ensurepip"
        return
    fi
    for python in python3.14 python3.13 python3.12 python3.11 python3; do
        if command -v "$python" >/dev/null && usable "$python"; then return; fi
    done
    python=''
    command -v uv >/dev/null || fail "this needs Python 3.11 or newer with venv (Debian: apt install python3-venv), or uv"
}

make_environment() {
    if [ -n "$python" ]; then
        "$python" -m venv "$new" || return
        set -- "$new/bin/python" -m pip --disable-pip-version-check --quiet install --progress-bar off
    else
        uv venv --quiet --python '>=3.11,<3.15' "$new" || return
        set -- uv pip install --quiet --python "$new/bin/python"
    fi
    if [ -n "$from" ]; then set -- "$@" --find-links "$from"; fi
    requirements >"$new/requirements.txt" &&
        "$@" --only-binary :all: --require-hashes --requirement "$new/requirements.txt" &&
        "$new/bin/codeagentd" version >/dev/null
}

install() {
    for program in $programs; do
        ours "$bin/$program" || fail "$bin/$program is there, and not from this script: remove it, or pass another --bin"
    done
    new=$versions/$version-$(requirements | cksum | cut -d ' ' -f 1)
    if [ "$(readlink "$current" 2>/dev/null)" = "$new" ] && [ -e "$new/install-script" ]; then
        link_all
        say "codeagentd $version is installed already, in $new"
        return
    fi
    mkdir -p "$data"
    test -d "$root" || mkdir -m 700 "$root"
    mkdir -p "$versions"
    mkdir "$versions/lock" 2>/dev/null || fail "another install.sh is at work; if none is, remove $versions/lock"
    trap 'rmdir "$versions/lock"' EXIT
    trap 'exit 1' HUP INT TERM
    if [ ! -e "$new/install-script" ]; then
        find_python
        rm -rf "$new"
        say "installing codeagentd $version into $new"
        make_environment || fail 'codeagentd could not be installed; what was there before is as it was'
        : >"$new/install-script" # it is whole; `codeagentd upgrade` knows by it who looks after it
    fi
    if [ -d "$current" ] && [ "$(readlink "$current")" != "$new" ]; then point "$previous" "$(readlink "$current")"; fi
    point "$current" "$new"
    link_all
    remove_older
    report
}

remove_older() {
    for folder in "$versions"/*/; do
        case ${folder%/} in
            "$versions/lock" | "$(readlink "$current")" | "$(readlink "$previous" 2>/dev/null)") ;;
            *) rm -rf "$folder" ;;
        esac
    done
}

report() {
    say "installed: $("$current/bin/codeagentd" version)"
    say "programs:  $bin/codeagentd, codeagent-mcp, codeagent-lsp"
    case ":$PATH:" in
        *":$bin:"*) ;;
        *) say "           $bin is not on PATH: add it there" ;;
    esac
    say 'next:      codeagentd install --list'
    say 'to undo:   sh install.sh --uninstall, after codeagentd uninstall CLIENT for those that name it'
    if [ -L "$previous" ]; then say '           sh install.sh --rollback goes back to the version before'; fi
}

main() {
    data=${XDG_DATA_HOME:-$HOME/.local/share}
    bin=${XDG_BIN_HOME:-$HOME/.local/bin}
    root=$data/codeagentd
    versions=$root/versions
    current=$root/current
    previous=$root/previous
    from=''
    python=''
    action=install
    while [ $# -gt 0 ]; do
        case $1 in
            --from | --bin | --python)
                [ $# -gt 1 ] || fail "$1 needs a value; see --help"
                case $1 in
                    --from) from=$(absolute "$2") ;;
                    --bin) bin=$2 ;;
                    --python) python=$2 ;;
                esac
                shift
                ;;
            --rollback) action=rollback ;;
            --uninstall) action=uninstall ;;
            --help | -h) action=usage ;;
            *) fail "there is no option $1; see --help" ;;
        esac
        shift
    done
    case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
    case $action in
        install) install ;;
        rollback) rollback ;;
        uninstall) uninstall ;;
        usage) usage ;;
    esac
}

// Programs on PATH: a codeagentd that something else has installed, uv, and Python.

'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { isAtLeast } = require('./versions.js');
const { config } = require('../package.json');

const PROBING = 'CODEAGENT_NPM_PROBING'; // set for programs that are asked for their version
const EXE = process.platform === 'win32' ? '.exe' : '';
const PYTHONS = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];
const PROBE_MS = 10_000;

/** The path of `program` beside a codeagentd on PATH that is at least `version`; undefined where there is none. */
function installedOnPath(program, version) {
    for (const file of onPath('codeagentd')) {
        const beside = path.join(path.dirname(file), program + EXE);
        if (!isOfNpm(file) && isExecutable(beside) && isAtLeast(versionOf(file), version)) {
            return beside;
        }
    }
    return undefined;
}

/** The path of uv on PATH; undefined where there is none. */
function uv() {
    return onPath('uv').find((file) => output(file, ['--version']) !== undefined);
}

/** The path of a Python on PATH that can make virtual environments; undefined where there is none. */
function python() {
    const [oldest, tooNew] = config.python.match(/\d+\.\d+/g).map((version) => `(${version.replace('.', ', ')})`);
    const test = `import sys, venv, ensurepip; sys.exit(not ${oldest} <= sys.version_info < ${tooNew})`;
    return PYTHONS.flatMap(onPath).find((file) => output(file, ['-I', '-c', test]) !== undefined);
}

/** What a program prints, without spaces around it; undefined where it fails. */
function output(file, words, cwd, variables = {}) {
    const env = { ...process.env, ...variables, [PROBING]: '1' };
    const stdio = ['ignore', 'pipe', 'ignore'];
    const done = spawnSync(file, words, { cwd, env, stdio, timeout: PROBE_MS, encoding: 'utf8', windowsHide: true });
    return done.status === 0 ? done.stdout.trim() : undefined;
}

function versionOf(codeagentd) {
    try {
        return String(JSON.parse(output(codeagentd, ['version', '--json']) ?? '{}').version ?? '');
    } catch {
        return '';
    }
}

function onPath(name) {
    const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
    return [...new Set(folders)].map((folder) => path.join(folder, name + EXE)).filter(isExecutable);
}

/** Whether a program is one that npm installed: this package, or a copy of it. */
function isOfNpm(file) {
    return fs.realpathSync(file).split(path.sep).includes('node_modules') || fs.realpathSync(file).endsWith('.js');
}

function isExecutable(file) {
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
    } catch {
        return false;
    }
}

module.exports = { EXE, PROBING, installedOnPath, isExecutable, output, python, uv };

// The Python environment of this package: in the user's data directory, so that it outlives the caches of npm. Each
// version has a folder of its own, and a link to the one in use: its path stays the same through upgrades, and what
// runs goes on with the files that it began with.

'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const programs = require('./path_programs.js');
const { isAtLeast } = require('./versions.js');
const { config } = require('../package.json');

const WINDOWS = process.platform === 'win32';
const BIN = WINDOWS ? 'Scripts' : 'bin';
const PACKAGE = 'codeagentd';
const PYTHON_TO_FETCH = '3.13'; // where the machine has none
const LOCKED = path.join(__dirname, 'requirements.txt'); // of a release: each package with its version and hashes
const MADE = 'made'; // a file with the first of the folders above that this package has made
const FOLDER = /^\d[^-]*-\w+$/; // VERSION-RANDOM
const UNUSED_MS = 24 * 60 * 60 * 1000; // a folder that is younger may be another process's, which still installs

/** The folder of the environments, in codeagentd's data directory. */
function home() {
    return path.join(process.env.CODEAGENT_DATA_DIR || path.join(dataHome(), PACKAGE), 'npm');
}

function dataHome() {
    if (WINDOWS) {
        return process.env.LOCALAPPDATA || path.join(os.homedir(), 'AppData', 'Local');
    }
    const base = process.env.XDG_DATA_HOME ?? '';
    const belowHome = process.platform === 'darwin' ? ['Library', 'Application Support'] : ['.local', 'share'];
    return path.isAbsolute(base) ? base : path.join(os.homedir(), ...belowHome);
}

/** The path of `program` in the environment in use, if that is at least `version`; else undefined. */
function program(name, version) {
    const file = path.join(current(), BIN, name + programs.EXE);
    const installed = inUse()?.split('-')[0];
    return installed && isAtLeast(installed, version) && programs.isExecutable(file) ? file : undefined;
}

/** Installs `version`, and returns the path of the program `name` in it. Throws where that fails. */
async function install(name, version) {
    const made = fs.mkdirSync(home(), { recursive: true, mode: 0o700 });
    if (made) {
        fs.writeFileSync(path.join(home(), MADE), made);
    }
    const folder = fs.mkdtempSync(path.join(home(), `${version}-`));
    try {
        await fill(folder, version);
    } catch (error) {
        fs.rmSync(folder, { recursive: true, force: true });
        throw error;
    }
    const before = inUse();
    use(path.basename(folder));
    removeUnused([before, path.basename(folder)]);
    return path.join(current(), BIN, name + programs.EXE);
}

/** Removes everything that this package has installed, and the folders that it made for it, once they are empty. */
function remove() {
    const record = path.join(home(), MADE);
    const made = fs.existsSync(record) ? fs.readFileSync(record, 'utf8') : home();
    fs.rmSync(home(), { recursive: true, force: true });
    for (let folder = path.dirname(home()); folder.startsWith(made); folder = path.dirname(folder)) {
        if (fs.readdirSync(folder).length > 0) {
            return;
        }
        fs.rmdirSync(folder);
    }
}

/** The variables of what is started: which command clients may keep, since it lasts. */
function variables(file) {
    const lasts = file.startsWith(current() + path.sep);
    return lasts ? { CODEAGENT_LASTING_COMMAND: path.join(current(), BIN, `codeagent-mcp${programs.EXE}`) } : {};
}

function current() {
    return path.join(home(), 'current');
}

/** The name of the folder in use; undefined where there is none. */
function inUse() {
    try {
        return path.basename(fs.readlinkSync(current()));
    } catch {
        return undefined;
    }
}

async function fill(folder, version) {
    const locked = ['--only-binary', ':all:', '--require-hashes', '--requirement', LOCKED];
    const wanted = fs.existsSync(LOCKED) ? locked : [`${PACKAGE}==${version}`];
    const python = programs.uv() ? undefined : programs.python();
    tell(`installing ${PACKAGE} ${version} into ${folder}, once (about 200 MB are fetched)`);
    if (python) {
        run(python, ['-I', '-m', 'venv', folder]);
        const pip = ['-I', '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet'];
        run(path.join(folder, BIN, `python${programs.EXE}`), [...pip, ...wanted]);
        return;
    }
    const uv = programs.uv();
    await (uv ? fillWith(uv, folder, wanted, {}) : fillAlone(folder, wanted));
}

/** Fills an environment with uv. */
function fillWith(uv, folder, wanted, variables) {
    const found = programs.output(uv, ['python', 'find', '--no-python-downloads', config.python], home(), variables);
    run(uv, ['venv', '--quiet', '--no-project', '--python', found ?? PYTHON_TO_FETCH, folder], variables);
    run(uv, ['pip', 'install', '--quiet', '--python', folder, ...wanted], variables);
}

/** Fills an environment with a uv that is fetched; what that leaves is below our folder. */
async function fillAlone(folder, wanted) {
    const uv = await require('./uv_wheel.js').fetchUv(home(), tell);
    const cache = `${folder}.cache`;
    try {
        const python = path.join(home(), 'python');
        const variables = { UV_CACHE_DIR: cache, UV_CREDENTIALS_DIR: cache, UV_PYTHON_INSTALL_DIR: python };
        fillWith(uv, folder, wanted, variables);
    } finally {
        fs.rmSync(cache, { recursive: true, force: true });
    }
}

/** Runs an installer. Its folder is ours, so that no file of the current repository has a say in what is installed. */
function run(file, words, variables = {}) {
    const env = { ...process.env, ...variables, PIP_REQUIRE_VIRTUALENV: '0' };
    delete env.PYTHONPATH;
    delete env.PYTHONHOME;
    const done = spawnSync(file, words, { cwd: home(), env, stdio: ['ignore', 2, 2], windowsHide: true });
    if (done.status !== 0) {
        const reason = done.error ? done.error.message : `code ${done.status ?? done.signal}`;
        throw new Error(`${[file, ...words].join(' ')} failed (${reason}); nothing was installed`);
    }
}

/** Points the link at a folder, in one step where the system can. */
function use(folder) {
    const link = `${current()}-${process.pid}`;
    fs.symlinkSync(WINDOWS ? path.join(home(), folder) : folder, link, 'junction');
    if (WINDOWS) {
        fs.rmSync(current(), { force: true, recursive: false });
    }
    fs.renameSync(link, current());
}

function removeUnused(used) {
    for (const name of fs.readdirSync(home())) {
        const folder = path.join(home(), name);
        if (FOLDER.test(name) && !used.includes(name) && Date.now() - fs.statSync(folder).mtimeMs > UNUSED_MS) {
            fs.rmSync(folder, { recursive: true, force: true });
        }
    }
}

function tell(text) {
    process.stderr.write(`codeagentd: ${text}\n`);
}

module.exports = { install, program, remove, variables };

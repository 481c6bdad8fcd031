// What the three programs of this package do: find codeagentd, or install it once, and start it.

'use strict';

const { spawn } = require('node:child_process');
const tty = require('node:tty');

const environment = require('./environment.js');
const { installedOnPath, PROBING } = require('./path_programs.js');
const { version } = require('../package.json');

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGUSR2']; // SIGUSR1 is Node.js's own
const SIGNALS_OF_TERMINALS = ['SIGINT', 'SIGQUIT']; // which send them to the program too

/** Starts `program` with `words`, in place of this process where Node.js can do that. */
async function start(program, words) {
    if (process.env[PROBING]) {
        process.exit(1); // another wrapper looks for a codeagentd on PATH: this is none
    }
    try {
        const found = environment.program(program, version) ?? installedOnPath(program, version);
        const undoes = words[0] === 'setup' && words.includes('--undo') && !words.includes('--dry-run');
        become(found ?? (await environment.install(program, version)), words, undoes ? environment.remove : undefined);
    } catch (error) {
        process.stderr.write(`codeagentd: ${error.message}\n`);
        process.exitCode = 1;
    }
}

/**
 * Runs the program `file`: its input, output, signals and exit code are those of this process. `after`: what is done
 * once it has ended well.
 */
function become(file, words, after) {
    const env = { ...process.env, ...environment.variables(file) };
    if (process.platform !== 'win32' && typeof process.execve === 'function' && !after) {
        process.execve(file, [file, ...words], env); // Node.js 22.15 and later; it does not return
    }
    let child;
    const isTyped = tty.isatty(0);
    // before it starts, so that none is lost
    SIGNALS.forEach((signal) => process.on(signal, () => child.kill(signal)));
    SIGNALS_OF_TERMINALS.forEach((signal) => process.on(signal, () => isTyped || child.kill(signal)));
    child = spawn(file, words, { stdio: 'inherit', env, windowsHide: true });
    child.on('error', (error) => {
        process.stderr.write(`codeagentd: ${file} cannot be started: ${error.message}\n`);
        process.exitCode = 1;
    });
    child.on('exit', (code, signal) => {
        if (signal) {
            process.removeAllListeners(signal);
            process.kill(process.pid, signal);
        } else {
            process.exitCode = code;
            if (code === 0) {
                after?.();
            }
        }
    });
}

module.exports = { start };

// The programs that the extension starts, and the files that it hands to the language server. No editor is needed here.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import languages from './languages.json';

/** A filter of documents, as the protocol has it: a pattern below a folder. */
export interface Filter {
    scheme: 'file';
    pattern: { baseUri: string; pattern: string };
}

/** The filters of a workspace folder: every file that codeagentd has a language for. */
export function filtersOf(folder: string): Filter[] {
    const extensions = languages.extensions.map((extension) => extension.slice(1));
    return [`**/*.{${extensions.join(',')}}`, `**/{${languages.names.join(',')}}`].map((pattern) => ({
        scheme: 'file',
        pattern: { baseUri: folder, pattern },
    }));
}

/** The MCP server beside the language server `command`: in the same folder, or on the PATH as that is. */
export function mcpServerBeside(command: string): string {
    const tools = command.includes('\\') ? path.win32 : path.posix;
    const { dir, ext } = tools.parse(command);
    return tools.join(dir, `codeagent-mcp${ext === '.exe' ? ext : ''}`);
}

/** Where installers put programs: an editor that was not started from a terminal has another PATH than one. */
const INSTALLED = [path.join(os.homedir(), '.local', 'bin'), '/opt/homebrew/bin', '/usr/local/bin'];

/** The programs that install codeagentd where it lasts, with their words. */
const INSTALLERS: Record<string, string[]> = { uv: ['tool', 'install'], pipx: ['install'] };

/** The path of a program: `command` itself if it has a folder, else that on the PATH or where installers put it. */
export function found(command: string): string | undefined {
    const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute), ...INSTALLED];
    const places = path.basename(command) === command ? folders.map((folder) => path.join(folder, command)) : [command];
    const endings = process.platform === 'win32' ? ['.exe', ''] : [''];
    return places.flatMap((place) => endings.map((ending) => place + ending)).find(isProgram);
}

/** The command line that installs a version of codeagentd with what is on this machine; undefined without either. */
export function installer(version: string): { command: string; args: string[] } | undefined {
    for (const [name, words] of Object.entries(INSTALLERS)) {
        const command = found(name);
        if (command) {
            return { command, args: [...words, `codeagentd==${version}`] };
        }
    }
    return undefined;
}

function isProgram(file: string): boolean {
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
    } catch {
        return false;
    }
}

// The programs that the extension starts, and the files that it hands to the language server. No editor is needed here.

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

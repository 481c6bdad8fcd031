// A stand-in for the module `vscode`, as far as the extension and its client library ask: everything else is a class
// that does nothing.

import Module from 'node:module';
import { pathToFileURL } from 'node:url';

type Handler = (...values: unknown[]) => unknown;

export class Uri {
    constructor(
        readonly scheme: string,
        readonly fsPath: string,
    ) {}

    static file(path: string): Uri {
        return new Uri('file', path);
    }

    static parse(text: string): Uri {
        return new Uri(text.split(':')[0], decodeURIComponent(new URL(text).pathname));
    }

    toString(): string {
        return pathToFileURL(this.fsPath).toString();
    }
}

class Nothing {
    dispose(): void {}
}

class Emitter {
    private readonly handlers: Handler[] = [];
    readonly event = (handler: Handler): Nothing => {
        this.handlers.push(handler);
        return new Nothing();
    };
    fire(value: unknown): void {
        this.handlers.forEach((handler) => handler(value));
    }
    dispose(): void {}
}

/** An object whose members are those of `known`; any other is a function that is also a class, and gives `Nothing`. */
function open<T extends object>(known: T): T {
    return new Proxy(known, {
        get: (_, name) => (name in known ? known[name as keyof T] : name === 'then' ? undefined : open(class extends Nothing {})),
        apply: () => new Nothing(),
    });
}

/** What the tests see and set. */
export const state = {
    settings: {} as Record<string, unknown>,
    folders: [] as { uri: Uri; name: string; index: number }[],
    errors: [] as string[],
    commands: new Map<string, Handler>(),
    mcp: undefined as undefined | { provideMcpServerDefinitions(): { command: string; cwd: Uri; version: string }[] },
    foldersChanged: new Emitter(),
    executed: [] as unknown[][],
    answer: undefined as string | undefined, // to messages
    buttons: [] as string[],
    tasks: [] as { command: string; args: string[] }[],
    taskEnded: new Emitter(),
};

class Position {
    constructor(
        readonly line: number,
        readonly character: number,
    ) {}
}

const silent = (): Nothing => new Nothing();
const channel = open({ name: 'output', dispose() {}, append() {}, appendLine() {}, show() {} });

const vscode = open({
    Uri,
    Position,
    EventEmitter: Emitter,
    version: '1.101.0',
    env: { language: 'en', appName: 'test', uriScheme: 'test' },
    workspace: open({
        get workspaceFolders() {
            return state.folders;
        },
        textDocuments: [],
        notebookDocuments: [],
        onDidChangeWorkspaceFolders: state.foldersChanged.event,
        onDidChangeConfiguration: silent,
        getWorkspaceFolder: () => state.folders[0],
        getConfiguration: () => ({ get: (name: string, otherwise: unknown) => state.settings[name] ?? otherwise }),
        createFileSystemWatcher: () => open(new Nothing()),
    }),
    window: open({
        visibleTextEditors: [],
        tabGroups: open({ all: [] }),
        createOutputChannel: () => channel,
        showErrorMessage: (text: string, ...buttons: string[]) => {
            state.errors.push(text);
            state.buttons = buttons;
            return Promise.resolve(state.answer);
        },
    }),
    commands: open({
        executeCommand: (...values: unknown[]) => {
            state.executed.push(values);
            return Promise.resolve(undefined);
        },
        registerCommand: (name: string, handler: Handler) => {
            state.commands.set(name, handler);
            return new Nothing();
        },
    }),
    ShellExecution: class {
        constructor(
            readonly command: string,
            readonly args: string[],
        ) {}
    },
    Task: class {
        constructor(...values: unknown[]) {
            return values[4] as object;
        }
    },
    TaskScope: { Workspace: 2 },
    tasks: {
        executeTask: (task: { command: string; args: string[] }) => {
            state.tasks.push(task);
            return Promise.resolve(task);
        },
        onDidEndTaskProcess: state.taskEnded.event,
    },
    lm: {
        registerMcpServerDefinitionProvider: (_: string, provider: typeof state.mcp) => {
            state.mcp = provider;
            return new Nothing();
        },
    },
    languages: open({ match: () => 0, createDiagnosticCollection: () => open(new Nothing()) }),
    McpStdioServerDefinition: class {
        cwd?: Uri;
        constructor(
            readonly label: string,
            readonly command: string,
            readonly args: string[],
            readonly env: object,
            readonly version: string,
        ) {}
    },
});

const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
const load = loader._load;
loader._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

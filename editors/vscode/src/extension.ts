// The extension: a language server for each workspace folder, and the MCP server for agents.

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

import { filtersOf, found, installer, mcpServerBeside } from './programs';

const ID = 'codeagentd';
const SHOW_REFERENCES = `${ID}.showReferences`;

/** The settings that a running server does not follow. */
const RESTARTING = ['command', 'enabled', 'codeLens', 'inlayHints'];

const INSTALL = 'Install';

/** Tells the editor that the MCP server may be another one, or there now. */
let serversChanged: vscode.EventEmitter<void> | undefined;

/** Whether the user knows that the programs are missing. */
let isOffered = false;

/** The version of the extension, which is that of codeagentd. */
let version = '';

/** The running language servers, by the URI of their folder. */
const clients = new Map<string, LanguageClient>();

/** The work on them, one step after the other: a folder may go while its server starts. */
let steps: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    version = context.extension.packageJSON.version;
    context.subscriptions.push(
        vscode.workspace.onDidChangeWorkspaceFolders((event) =>
            step(async () => {
                await Promise.all(event.removed.map(stop));
                await Promise.all(event.added.map(start));
            }),
        ),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (RESTARTING.some((setting) => event.affectsConfiguration(`${ID}.${setting}`))) {
                return step(restart);
            }
        }),
        vscode.commands.registerCommand(`${ID}.restart`, restartAfresh),
        vscode.commands.registerCommand(SHOW_REFERENCES, showReferences),
    );
    offerMcpServer(context);
    await step(startAll);
}

export function deactivate(): Promise<void> {
    return step(stopAll);
}

function step(work: () => Promise<void>): Promise<void> {
    steps = steps.then(work).catch((error: unknown) => {
        void vscode.window.showErrorMessage(`codeagentd: ${error instanceof Error ? error.message : String(error)}`);
    });
    return steps;
}

/** Starts everything again, and says again what is missing. */
function restartAfresh(): Promise<void> {
    isOffered = false;
    serversChanged?.fire();
    return step(restart);
}

async function restart(): Promise<void> {
    await stopAll();
    await startAll();
}

async function startAll(): Promise<void> {
    await Promise.all((vscode.workspace.workspaceFolders ?? []).map(start));
}

async function stopAll(): Promise<void> {
    const running = [...clients.values()];
    clients.clear();
    await Promise.all(running.map((client) => client.dispose()));
}

async function start(folder: vscode.WorkspaceFolder): Promise<void> {
    const uri = folder.uri.toString();
    const settings = vscode.workspace.getConfiguration(ID, folder.uri);
    if (folder.uri.scheme !== 'file' || clients.has(uri) || !settings.get<boolean>('enabled', true)) {
        return;
    }
    const wanted = settings.get<string>('command', 'codeagent-lsp');
    const command = found(wanted);
    if (!command) {
        void offerToInstall(wanted); // not awaited: the message stays until the user answers
        return;
    }
    const client = new LanguageClient(
        ID,
        `codeagentd (${folder.name})`,
        { command, options: { cwd: folder.uri.fsPath } },
        {
            documentSelector: filtersOf(uri),
            workspaceFolder: folder,
            initializationOptions: {
                codeLens: settings.get<boolean>('codeLens', true),
                inlayHints: settings.get<boolean>('inlayHints', false),
                showReferencesCommand: SHOW_REFERENCES,
            },
        },
    );
    clients.set(uri, client);
    try {
        await client.start();
    } catch (error) {
        clients.delete(uri);
        throw error;
    }
}

/** Says once that the language server is missing, and installs it if the user wants that. */
async function offerToInstall(command: string): Promise<void> {
    if (isOffered) {
        return;
    }
    isOffered = true;
    const way = installer(version);
    const advice = way
        ? `Install it with ${[way.command, ...way.args].join(' ')}?`
        : 'Install uv or pipx first, then codeagentd.';
    const text = `codeagentd: ${command} is not here. ${advice} Or set codeagentd.command.`;
    const answer = await vscode.window.showErrorMessage(text, ...(way ? [INSTALL] : []));
    if (way && answer === INSTALL) {
        const execution = new vscode.ShellExecution(way.command, way.args);
        const task = new vscode.Task({ type: ID }, vscode.TaskScope.Workspace, 'install', ID, execution);
        const running = await vscode.tasks.executeTask(task);
        const ended = vscode.tasks.onDidEndTaskProcess((event) => {
            if (event.execution === running) {
                ended.dispose();
                void restartAfresh();
            }
        });
    }
}

/** Shows the references of a definition: what a click on their number does. */
async function showReferences(uri: string, position: { line: number; character: number }): Promise<void> {
    const file = vscode.Uri.parse(uri);
    const at = new vscode.Position(position.line, position.character);
    const locations = await vscode.commands.executeCommand('vscode.executeReferenceProvider', file, at);
    await vscode.commands.executeCommand('editor.action.showReferences', file, at, locations ?? []);
}

async function stop(folder: vscode.WorkspaceFolder): Promise<void> {
    const uri = folder.uri.toString();
    const client = clients.get(uri);
    clients.delete(uri);
    await client?.dispose();
}

/** Offers the MCP server, in editors that know how to ask for one. */
function offerMcpServer(context: vscode.ExtensionContext): void {
    if (typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') {
        return;
    }
    const changed = (serversChanged = new vscode.EventEmitter<void>());
    context.subscriptions.push(
        changed,
        vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (event.affectsConfiguration(ID)) {
                changed.fire();
            }
        }),
        vscode.lm.registerMcpServerDefinitionProvider(ID, {
            onDidChangeMcpServerDefinitions: changed.event,
            provideMcpServerDefinitions: mcpServers,
        }),
    );
}

/** The MCP server: one, for the first folder, since tools of several would have the same names. */
function mcpServers(): vscode.McpStdioServerDefinition[] {
    const settings = vscode.workspace.getConfiguration(ID);
    const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === 'file');
    if (!folder || !settings.get<boolean>('mcp.enabled', true)) {
        return [];
    }
    const command = found(mcpServerBeside(settings.get<string>('command', 'codeagent-lsp')));
    if (!command) {
        return []; // the language server is missing too, which its user is told
    }
    const server = new vscode.McpStdioServerDefinition('codeagent', command, [], {}, version);
    server.cwd = folder.uri;
    return [server];
}

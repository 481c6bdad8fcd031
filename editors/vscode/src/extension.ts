// The extension: a language server for each workspace folder, and the MCP server for agents.

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

import { filtersOf, mcpServerBeside } from './programs';

const ID = 'codeagentd';
const SHOW_REFERENCES = `${ID}.showReferences`;

/** The settings that a running server does not follow. */
const RESTARTING = ['command', 'enabled', 'codeLens', 'inlayHints'];

/** The running language servers, by the URI of their folder. */
const clients = new Map<string, LanguageClient>();

/** The work on them, one step after the other: a folder may go while its server starts. */
let steps: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
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
        vscode.commands.registerCommand(`${ID}.restart`, () => step(restart)),
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
    const client = new LanguageClient(
        ID,
        `codeagentd (${folder.name})`,
        { command: settings.get<string>('command', 'codeagent-lsp'), options: { cwd: folder.uri.fsPath } },
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
    const changed = new vscode.EventEmitter<void>();
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
            provideMcpServerDefinitions: () => mcpServers(context.extension.packageJSON.version),
        }),
    );
}

/** The MCP server: one, for the first folder, since tools of several would have the same names. */
function mcpServers(version: string): vscode.McpStdioServerDefinition[] {
    const settings = vscode.workspace.getConfiguration(ID);
    const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === 'file');
    if (!folder || !settings.get<boolean>('mcp.enabled', true)) {
        return [];
    }
    const command = mcpServerBeside(settings.get<string>('command', 'codeagent-lsp'));
    const server = new vscode.McpStdioServerDefinition('codeagent', command, [], {}, version);
    server.cwd = folder.uri;
    return [server];
}

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { Uri, state } from './editor';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'codeagentd-vscode-'));
const log = path.join(folder, 'log');
const program = path.join(folder, 'codeagent-lsp');
const server = `#!${process.execPath}
const fs = require('node:fs');
let text = '';
process.stdin.on('data', (data) => {
    for (text += data; ;) {
        const head = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text);
        if (!head || text.length < head[0].length + +head[1]) return;
        const message = JSON.parse(text.slice(head[0].length, head[0].length + +head[1]));
        text = text.slice(head[0].length + +head[1]);
        fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ ...message, cwd: process.cwd(), argv: process.argv.slice(2) }) + '\\n');
        if (message.method === 'exit') process.exit(0);
        if (message.id === undefined) continue;
        const result = message.method === 'initialize' ? { capabilities: {} } : null;
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
        process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
    }
});
`;

interface Extension {
    activate(context: object): Promise<void>;
    deactivate(): Promise<void>;
}

const extension = require('../dist/extension.js') as Extension;
const context = { subscriptions: [], extension: { packageJSON: { version: '1.2.3' } } };
const messages = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** Waits until the server has read a message: the client does not wait for that when it leaves. */
async function read(method: string, patience = 5_000): Promise<void> {
    const until = Date.now() + patience;
    while (!messages().some((message) => message.method === method) && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

test('each folder has its language server, which goes with it', async () => {
    fs.writeFileSync(program, server, { mode: 0o755 });
    const shop = path.join(folder, 'shop');
    fs.mkdirSync(shop);
    state.settings = { command: program };
    state.folders = [{ uri: Uri.file(shop), name: 'shop', index: 0 }];
    await extension.activate(context);
    assert.deepEqual(state.errors, []);
    await read('initialized');
    const [first, second] = messages();
    assert.equal(first.method, 'initialize');
    assert.equal(first.params.rootUri, Uri.file(shop).toString());
    assert.equal(first.cwd, fs.realpathSync(shop));
    assert.deepEqual(first.params.initializationOptions, {
        codeLens: true,
        inlayHints: false,
        showReferencesCommand: 'codeagentd.showReferences',
    });
    assert.deepEqual(first.argv, []);
    assert.equal(second.method, 'initialized');
    await extension.deactivate();
    await read('exit');
    assert.deepEqual(messages().map((message) => message.method).slice(-2), ['shutdown', 'exit']);
});

test('agents are offered the MCP server of the first folder', () => {
    assert.deepEqual(state.mcp!.provideMcpServerDefinitions(), [], 'it is not there yet');
    fs.writeFileSync(path.join(folder, 'codeagent-mcp'), '', { mode: 0o755 });
    const [offered] = state.mcp!.provideMcpServerDefinitions();
    assert.equal(offered.command, path.join(folder, 'codeagent-mcp'));
    assert.equal(offered.cwd, state.folders[0].uri);
    assert.equal(offered.version, '1.2.3');
    state.settings['mcp.enabled'] = false;
    assert.deepEqual(state.mcp!.provideMcpServerDefinitions(), []);
});

test('a click on the number of references shows them', async () => {
    state.executed = [];
    await state.commands.get('codeagentd.showReferences')!('file:///shop/desk.py', { line: 3, character: 4 });
    assert.deepEqual(
        state.executed.map(([command]) => command),
        ['vscode.executeReferenceProvider', 'editor.action.showReferences'],
    );
    const [, [, file, at, locations]] = state.executed as [unknown, [string, Uri, { line: number }, unknown[]]];
    assert.equal(file.toString(), 'file:///shop/desk.py');
    assert.equal(at.line, 3);
    assert.deepEqual(locations, []);
});

test('a missing program is offered to be installed, and started once it is', async () => {
    const bin = path.join(folder, 'bin');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'uv'), '', { mode: 0o755 });
    const before = process.env.PATH;
    process.env.PATH = bin;
    fs.rmSync(log);
    const missing = path.join(folder, 'later', 'codeagent-lsp');
    state.settings = { command: missing };
    state.answer = 'Install';
    await state.commands.get('codeagentd.restart')!();
    await read('never', 50);
    assert.match(state.errors[0], /later.codeagent-lsp is not here. Install it with .*uv tool install codeagentd==1.2.3\?/);
    assert.deepEqual(state.buttons, ['Install']);
    assert.deepEqual(state.tasks.map((task) => ({ ...task })), [{ command: path.join(bin, 'uv'), args: ['tool', 'install', 'codeagentd==1.2.3'] }]);
    fs.mkdirSync(path.dirname(missing));
    fs.copyFileSync(program, missing);
    state.taskEnded.fire({ execution: state.tasks[0] });
    await read('initialized');
    process.env.PATH = before;
    assert.equal(messages()[0].method, 'initialize');
    await extension.deactivate();
});

test('without an installer the user is told what to do, once', async () => {
    const before = process.env.PATH;
    process.env.PATH = '';
    state.errors.length = 0;
    state.settings = { command: path.join(folder, 'nothing') };
    state.folders.push({ uri: Uri.file(folder), name: 'other', index: 1 });
    await state.commands.get('codeagentd.restart')!();
    process.env.PATH = before;
    state.folders.pop();
    assert.equal(state.errors.length, 1);
    assert.match(state.errors[0], /Install uv or pipx first, then codeagentd. Or set codeagentd.command/);
    assert.deepEqual(state.buttons, []);
});

test('a folder that is switched off has no server', async () => {
    fs.rmSync(log);
    state.settings = { command: program, enabled: false };
    await state.commands.get('codeagentd.restart')!();
    assert.equal(fs.existsSync(log), false);
});

test.after(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

import assert from 'node:assert/strict';
import test from 'node:test';

import languages from '../src/languages.json';
import { filtersOf, mcpServerBeside } from '../src/programs';

test('the files of a folder are those with an extension or a name that a language claims', () => {
    const [byExtension, byName] = filtersOf('file:///shop');
    assert.equal(byExtension.pattern.baseUri, 'file:///shop');
    assert.match(byExtension.pattern.pattern, /^\*\*\/\*\.\{.*\bpy\b.*\btsx\b.*\}$/);
    assert.match(byName.pattern.pattern, /^\*\*\/\{.*\bMakefile\b.*\}$/);
    assert.ok([byExtension, byName].every((filter) => filter.scheme === 'file'));
});

test('no extension or name has a sign that means something in a pattern', () => {
    for (const text of [...languages.extensions, ...languages.names]) {
        assert.match(text, /^[\w.+-]+$/);
    }
});

test('the MCP server is beside the language server', () => {
    assert.equal(mcpServerBeside('codeagent-lsp'), 'codeagent-mcp');
    assert.equal(mcpServerBeside('/opt/bin/codeagent-lsp'), '/opt/bin/codeagent-mcp');
    assert.equal(mcpServerBeside('C:\\bin\\codeagent-lsp.exe'), 'C:\\bin\\codeagent-mcp.exe');
});

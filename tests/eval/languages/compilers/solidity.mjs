// What solc's parser finds: reads {path: source} and prints [path, offset of the name in bytes, name, kind] of each definition.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const solc = createRequire(process.env.NODE_PATH + '/')('solc');
const sources = JSON.parse(readFileSync(0, 'utf8'));
const found = [];

function walk(node, path, outer) {
  if (Array.isArray(node)) return node.forEach((one) => walk(one, path, outer));
  if (node === null || typeof node !== 'object') return;
  const isMember = node.nodeType !== 'VariableDeclaration' || outer !== 'Callable';
  if (node.name && node.nameLocation && !node.nameLocation.startsWith('-1') && isMember) {
    found.push([path, Number(node.nameLocation.split(':')[0]), node.name, node.nodeType]);
  }
  if (node.kind === 'constructor') found.push([path, Number(node.src.split(':')[0]), 'constructor', node.nodeType]);
  const isCallable = /^(Function|Modifier|Event|Error)Definition$|^(FunctionTypeName|Block|Try.*)$/.test(node.nodeType);
  for (const value of Object.values(node)) walk(value, path, isCallable ? 'Callable' : outer);
}

for (const [path, content] of Object.entries(sources)) {
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } };
  const answer = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources: { [path]: { content } }, settings })));
  walk(answer.sources?.[path]?.ast ?? null, path, '');
}
console.log(JSON.stringify(found));

// What a parser of Thrift finds: reads {path: source} and prints [path, index of the name, name, kind] of each definition.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const { parse } = createRequire(process.env.NODE_PATH + '/')('@creditkarma/thrift-parser');
console.log = () => {}; // the parser tells of errors
const found = [];
for (const [path, source] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) {
  const add = (node) => node.name?.loc && found.push([path, node.name.loc.start.index, node.name.value, node.type]);
  for (const node of parse(source).body ?? []) {
    if (node.type === 'NamespaceDefinition') continue;
    add(node);
    for (const member of [...(node.fields ?? []), ...(node.members ?? []), ...(node.functions ?? [])]) add(member);
  }
}
process.stdout.write(JSON.stringify(found));

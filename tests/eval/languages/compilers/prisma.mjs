// What a parser of Prisma finds: reads {path: source} and prints [path, line, name, kind] of each definition.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const { getSchema, PrismaParser, VisitorClassFactory } = createRequire(process.env.NODE_PATH + '/')('@mrleebo/prisma-ast');
const parser = new PrismaParser({ nodeLocationTracking: 'full' });
const visitor = new (VisitorClassFactory(parser))();
const found = [];
for (const [path, source] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) {
  for (const block of getSchema(source, { parser, visitor }).list) {
    for (const node of [block, ...(block.properties ?? []), ...(block.enumerators ?? [])]) {
      if (node.name && node.location && !node.type.endsWith('ttribute')) found.push([path, node.location.startLine, node.name, node.type]);
    }
  }
}
process.stdout.write(JSON.stringify(found));

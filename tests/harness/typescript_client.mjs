// A client on the official TypeScript SDK that does what lines on stdin say, and prints one line for each: {"result": …} or {"thrown": message}.
// usage: node typescript_client.mjs SDK_FOLDER COMMAND ARGUMENT…
// A line is {"list": true} for the tools, or {"name": …, "arguments": …} for a call.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, command, ...args] = process.argv.slice(2);
const { resolve } = createRequire(join(folder, "package.json"));
const part = (path) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/client/${path}`)).href);
const [{ Client }, { StdioClientTransport }] = [await part("index.js"), await part("stdio.js")];

const client = new Client({ name: "typescript", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));

async function obeyed(order) {
  if (order.list) return client.listTools();
  return client.callTool(order, undefined, { timeout: 60_000 });
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await obeyed(JSON.parse(line)).then((result) => ({ result }), (error) => ({ thrown: String(error.message) }));
  console.log(JSON.stringify(answer));
}
await client.close();

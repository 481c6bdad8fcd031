// A client on the official protocol library of VS Code that does what lines on stdin say, and prints one line for each:
// {"result": …}, or {"thrown": message, "code": …}.
// usage: node protocol_client.mjs PACKAGES_FOLDER COMMAND ARGUMENT…
// A line is {"request": method, "params": …}, {"notify": method, "params": …}, {"apply": WorkspaceEdit} for the texts
// after its edits, without those that the user would have to confirm, or {"told": true} for what the server has sent.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [folder, command, ...args] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const protocol = require("vscode-languageserver-protocol/node");
const { TextDocument } = require("vscode-languageserver-textdocument");

const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);
const types = new Map(Object.values(protocol).filter((kind) => kind?.type?.method).map((kind) => [kind.type.method, kind.type]));
const told = [];
connection.onError(([error]) => told.push({ error: String(error) }));
connection.onUnhandledNotification(({ method, params }) => told.push({ method, params }));
connection.onRequest(protocol.WorkDoneProgressCreateRequest.type, ({ token }) => {
  connection.onProgress(protocol.WorkDoneProgress.type, token, (value) => told.push({ progress: value }));
});
connection.onNotification(protocol.ShowMessageNotification.type, ({ message }) => told.push({ message }));
connection.listen();

function confirmed(edit, annotations) {
  return !(edit.annotationId && annotations?.[edit.annotationId]?.needsConfirmation);
}

function applied({ documentChanges = [], changeAnnotations }) {
  const texts = {};
  for (const { textDocument, edits } of documentChanges.filter((change) => change.edits)) {
    const document = TextDocument.create(textDocument.uri, "", 0, readFileSync(fileURLToPath(textDocument.uri), "utf8"));
    texts[textDocument.uri] = TextDocument.applyEdits(document, edits.filter((edit) => confirmed(edit, changeAnnotations)));
  }
  return texts;
}

async function obeyed(order) {
  if (order.told) return told;
  if (order.apply) return applied(order.apply);
  if (order.notify) return connection.sendNotification(types.get(order.notify) ?? order.notify, order.params);
  return connection.sendRequest(types.get(order.request) ?? order.request, order.params ?? undefined);
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await obeyed(JSON.parse(line)).then(
    (result) => ({ result: result ?? null }),
    (error) => ({ thrown: String(error.message), code: error.code }),
  );
  console.log(JSON.stringify(answer));
}
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);

What a function gives whose result names a type of the platform: nothing of the repository answers.
=== base.ts
export class Context { get(name: string) {} }
export class App {
  plain(input: string): Promise<Response> { return fetch(input); }
}
=== main.ts
import { App } from './base';
async function use(app: App) {
  const answer = await app.plain('/');
  answer.headers.get('x');                          //@ unasked get
}

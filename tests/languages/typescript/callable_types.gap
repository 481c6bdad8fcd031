How something is called that inherits its call signatures, or says more of them than the one that is kept.
=== main.ts
class Context { json() {} }
interface Single { (handler: (c: Context) => void): void }
interface Heir extends Single { lend(): void }
declare const heir: Heir
declare function several(path: string, handler: (c: Context) => void): void
declare function several(handler: (c: Context) => void): void

heir(c => c.json())                         //@ call -> Context.json
several(c => c.json())                      //@ call -> Context.json

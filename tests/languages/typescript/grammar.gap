What the grammar cannot read.
=== main.ts
let list: import("./other").Item[] = [];              //@ status full
interface After { in?: string }
=== other.ts
export interface Item {}

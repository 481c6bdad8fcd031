"""Does extraction and resolution say of marked source files what their authors say?

A case is a file `tests/languages/<language>/<subject>.case`: source text with the right answers in comments. Known misses live in `*.gap` files of the same format.

Files. A line `=== path` begins a file of the case's repository; text before the first one is a description. Without any such line the whole case is one file,
named `main` plus the language's first extension. Files of any language may stand in one case (`=== package.json`, `=== lib/shelf.py`).

Marks. A mark is a comment that begins with `@ `, in whichever comment sign the language has: `//@ `, `#@ `, `--@ `, `;@ `, `%@ `, `/*@ … */`, `<!--@ … -->`.
It ends its line and speaks about that line; alone on its line it speaks about the next line that is no mark. Several expectations are separated by ` ; `. Marks are
removed before the files are written, so they shift no column and document no symbol. Lines without marks assert nothing.

Definitions (the line is that of the symbol's name)
    def KIND NAME [WORD=VALUE …]   a symbol with this node_type whose qualified name is NAME, or ends in it at a separator. WORDs: access=private
                                   flags=static,async (exactly these, of public_api static abstract async override deprecated doc_comment exported; `flags=` for none)
                                   +flag / -flag (this one set / not set) params=2 signature="(a: number, b)" returns=string type=Shelf bases=Base,IShelf
                                   lines=3-9 (the whole definition) spans=2 (how many places) parent=NAME. Values with spaces stand in double quotes.
    nodef NAME                     no symbol of this name begins here

Occurrences, as extraction sees them (before resolution)
    ref KIND NAME [on RECEIVER]    NAME occurs here as a reference of this kind; RECEIVER is plain, self, class, super, local, complex, or the name it hangs on
    absent NAME                    NAME is no reference here (a local variable, a key, a label)
    import MODULE NAME LOCAL [exported] [type]   an import fact; "" for an empty part, as in `import ./shelf "" shelves` (a namespace import)
    export EXPORTED LOCAL          the file exports LOCAL as EXPORTED (an export list; not the word `export` in front of a definition: that is +exported)

Edges, as the index answers
    KIND -> TARGET [CONFIDENCE] [ORIGIN] [from SOURCE]
                                   a reference here of this kind (call, import, reexport, type, accepts, returns, inherit, implement, extend, decorate, read, write,
                                   override) leads to the symbol TARGET. CONFIDENCE is exact, inferred or ambiguous (then all targets: `call -> A.run, B.run ambiguous`),
                                   ORIGIN a label of model.kinds.Origin, SOURCE the symbol that the reference stands in.
    KIND open NAME                 a member reference that waits for a question: no target was proved
    none [NAME]                    no reference (of that name) resolves here

A TARGET or SOURCE is a qualified name or its end (`Shelf.lend`), with its file where names repeat (`lib/shelf.ts:Shelf.lend`); `lib/shelf.ts:` is the file itself.

Whole files, as a mark anywhere in the file
    only                           every reference of this file that resolves has an edge expectation on its line: anything else is an invented edge
    status full | partial          what the parser made of it

A gap asserts what should be true and is not yet: each of its expectations must fail. One that holds is an error: move it to a case. Lines of a gap that must hold for
the gap to make sense belong to a case.
"""

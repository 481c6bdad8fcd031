; Derived from the grammar by `make grammars`.
(intent_def (intent) @name) @def.function
(alias_def (alias) @name) @def.constant
(slot_def (slot) @bind.define)
(comment) @comment

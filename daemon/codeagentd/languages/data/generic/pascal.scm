; Derived from the grammar by `make grammars`.
(unit (moduleName (identifier) @name)) @def.module
(declType name: (identifier) @name) @def.type
(declField name: (identifier) @name) @def.field
(declClass (declProc name: (identifier) @name) @def.method)
(assignment rhs: (exprCall entity: (identifier) @name)) @def.function
(declProc name: (genericDot) @name) @def.function
(library (moduleName . (identifier) @name)) @def.module
(varAssignDef . (identifier) @bind.define)
(varDef . (identifier) @bind.define)
(declVar name: (identifier) @bind.define)
(declConst name: (identifier) @name) @def.constant
(declLabel name: (identifier) @name) @def.function
(declEnumValue name: (identifier) @name) @def.enum
(declClass name: (identifier) @name) @def.class
(declVariant name: (identifier) @name) @def.enum_member
(exprCall . (identifier) @ref.call)
(identifier) @ref
(kVar) @ref
(kDispId) @ref
(kName) @ref
(comment) @comment

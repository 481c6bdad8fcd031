; Definitions. The capture spans the definition, @name the identifier alone.
((list . (symbol) @how . (list . [(symbol) @name (list . (symbol) @name) (list . (list . (symbol) @name))]) @params) @def.function
  (#match? @how "^define(\\*|-public|\\*-public|-inline|-inlinable|-integrable|-method|-generic|-test)?$"))
((list . (symbol) @how . (symbol) @name) @def.variable (#match? @how "^define(\\*|-public|-constant|-parameter|-once|-values)?$"))
((list . (symbol) @how . (symbol) @name . (list . (symbol) @_function)) @def.function
  (#match? @how "^define(-public)?$") (#any-of? @_function "lambda" "case-lambda" "lambda*" "named-lambda"))
((list . (symbol) @how . (list . (symbol) @name) @params) @def.macro (#any-of? @how "define-macro" "define-syntax-rule" "define-syntax-public"))
((list . (symbol) @how . (symbol) @name) @def.macro (#any-of? @how "define-syntax" "define-macro" "define-syntax-parameter"))
((list . (symbol) @how . [(symbol) @name (list . (symbol) @name)]) @def.class
  (#any-of? @how "define-record-type" "define-class" "define-record" "define-structure" "define-condition-type"))
((list . (symbol) @how . (symbol) @name) @def.function (#any-of? @how "define-generic" "define-foreign" "define-c"))
((list . (symbol) @how . (list) @name) @def.namespace (#any-of? @how "define-module" "define-library" "library"))
; The functions of a record type: its constructor, its predicate, what reads and sets its fields.
((list . (symbol) @how . (_) . [(symbol) @name @def.function (list . (symbol) @name) @def.function]) (#eq? @how "define-record-type") (#not-match? @name "^([.]|#f|#t)$"))
((list . (symbol) @how . (_) . (_) . (symbol) @name @def.function) (#eq? @how "define-record-type") (#not-match? @name "^([.]|#f|#t)$"))
((list . (symbol) @how . (_) . (_) . (_) (list . (symbol) . (symbol) @name @def.function)) (#eq? @how "define-record-type") (#not-match? @name "^([.]|#f|#t)$"))
((list . (symbol) @how . (_) . (_) . (_) (list . (symbol) . (symbol) . (symbol) @name @def.function)) (#eq? @how "define-record-type") (#not-match? @name "^([.]|#f|#t)$"))
((list . (symbol) @how . (list) . (string) @doc . (_)) (#match? @how "^define"))

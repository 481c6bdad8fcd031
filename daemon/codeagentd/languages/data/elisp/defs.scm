; Definitions. The capture spans the definition, @name the identifier alone.
(function_definition name: (symbol) @name parameters: (list)? @params) @def.function
(macro_definition name: (symbol) @name parameters: (list)? @params) @def.macro
(function_definition docstring: (string) @doc)
(macro_definition docstring: (string) @doc)
((list . (symbol) @how . (symbol) @name . (list)? @params) @def.function
  (#any-of? @how "cl-defun" "defsubst" "cl-defsubst" "define-inline" "cl-defgeneric" "defgeneric" "cl-iter-defun" "iter-defun" "ert-deftest" "transient-define-prefix"
    "transient-define-suffix" "transient-define-infix" "transient-define-argument" "transient-define-group" "define-minor-mode" "define-globalized-minor-mode"
    "define-global-minor-mode" "define-derived-mode" "define-generic-mode" "define-compilation-mode"))
; Packages have macros of their own for commands: evil-define-command, projectile-define-….
((list . (symbol) @how . (symbol) @name . (list) @params) @def.function (#match? @how "^[a-z0-9-]+-define-[a-z-]+$") (#not-match? @how "key$"))
((list . (symbol) @how . (symbol) @name . (list)? @params) @def.macro (#any-of? @how "cl-defmacro" "defmacro*"))
((list . (symbol) @how . (symbol) @name . (_)? @header) @def.method (#any-of? @how "cl-defmethod" "defmethod"))
(special_form "defvar" . (symbol) @name) @def.variable
(special_form "defconst" . (symbol) @name) @def.constant
((list . (symbol) @how . (symbol) @name) @def.variable
  (#any-of? @how "defcustom" "defvar-local" "defvar-keymap" "defface" "defgroup" "deftheme" "define-abbrev-table" "define-widget"))
((list . (symbol) @how . [(symbol) @name (list . (symbol) @name)]) @def.class (#any-of? @how "cl-defstruct" "defstruct" "cl-deftype"))
((list . (symbol) @how . (symbol) @name . (list (symbol)? @base)) @def.class (#any-of? @how "defclass" "cl-defclass"))
((list . (symbol) @how . (symbol) . (list) . (list (list . (symbol) @name) @def.field)) (#eq? @how "defclass"))
((list . (symbol) @how . (quote (symbol) @name)) @def.function (#any-of? @how "defalias"))
((list . (symbol) @how . (quote (symbol) @name)) @def.variable (#any-of? @how "defvaralias" "define-error" "define-button-type" "define-fringe-bitmap"))
((list . (symbol) @how . (quote (symbol) @name)) @def.function (#any-of? @how "define-obsolete-function-alias"))
((list . (symbol) @how . (quote (symbol) @name)) @def.variable (#any-of? @how "define-obsolete-variable-alias"))
((list . (symbol) @how . (symbol) . (list) . (string) @doc) (#match? @how "^(cl-)?def"))
((list . (symbol) @how . (symbol) . (_) . (string) @doc) (#any-of? @how "defcustom" "defvar-local" "defgroup" "defface" "define-derived-mode"))
((list . (symbol) @how . (symbol) . (string) @doc) (#eq? @how "define-minor-mode"))
(special_form ["defvar" "defconst"] . (symbol) . (_) . (string) @doc)

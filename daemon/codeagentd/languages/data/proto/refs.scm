; Types: a name with dots is one, without the dot that may begin it.
(message_or_enum_type . (identifier) @ref @ref.type)
(message_or_enum_type (identifier) @ref.to .)
(rpc (rpc_name) . (message_or_enum_type . (identifier) @ref.accepts))
(rpc (rpc_name) . (message_or_enum_type) . (message_or_enum_type . (identifier) @ref.returns))
(extend (full_ident . (identifier) @ref @ref.extend))
(extend (full_ident (identifier) @ref.to .))
((comment) @comment)

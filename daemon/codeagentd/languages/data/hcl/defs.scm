; Blocks whose labels others refer to. The name begins with the block's type; the rule "terraform" makes the address of it.
((block (identifier) @name.first (string_lit (template_literal) @name) . (block_start)) @def.resource
  (#any-of? @name.first "resource" "data" "provider" "ephemeral"))
((block (identifier) @name.first (string_lit (template_literal) @name)) @def.variable (#eq? @name.first "variable"))
((block (identifier) @name.first (string_lit (template_literal) @name)) @def.property (#eq? @name.first "output"))
((block (identifier) @name.first (string_lit (template_literal) @name)) @def.module (#eq? @name.first "module"))
((block (identifier) @_l (body (attribute (identifier) @name) @def.constant)) (#eq? @_l "locals"))

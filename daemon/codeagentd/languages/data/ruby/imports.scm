; Files that are loaded by a path that is written out; the rule "ruby" reads their parts.
((call !receiver method: (identifier) @how arguments: (argument_list . [(string) (call receiver: (constant))])) @import
  (#any-of? @how "require" "require_relative" "load"))
((call !receiver method: (identifier) @how arguments: (argument_list . (simple_symbol) . (string))) @import (#eq? @how "autoload"))

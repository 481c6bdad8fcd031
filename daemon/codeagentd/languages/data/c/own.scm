; What the grammars of Objective-C or GLSL do not have.
(attributed_declarator (identifier) @bind.define)
(parameter_list (identifier) @bind)

; Commands, variables, and the targets that commands name.
(normal_command (identifier) @ref @ref.call)
(variable) @ref @ref.read
((normal_command (identifier) @_how (argument_list (argument (unquoted_argument) @ref @ref.depend)))
  (#match? @_how "(?i)^(target_[a-z_]+|add_dependencies|install|export|set_target_properties|get_target_property)$") (#match? @ref "^[A-Za-z0-9_.:+-]+$"))
(if_command (argument_list (argument (unquoted_argument) @ref @ref.read)) (#match? @ref "^[A-Za-z0-9_]+$"))
(foreach_loop (foreach_command (argument_list . (argument (unquoted_argument) @bind)))) @scope.block

; Stages by name, and variables.
(from_instruction (image_spec name: (image_name) @typename @ref.depend))
[(param) (mount_param)] @typename.from
(expansion (variable) @ref.dotted)
(shell_fragment) @ref.shell

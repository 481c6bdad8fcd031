; A stage begins with FROM and ends before the next one; without a name of its own it is called what it is from.
(from_instruction !as) @section.1 @title
(from_instruction as: (image_alias) @title) @section.1
(arg_instruction name: (unquoted_string) @name) @def.variable
(env_pair name: (unquoted_string) @name) @def.variable

; Options, choices and menus.
(config name: (name (symbol) @name)) @def.variable
(menuconfig name: (name (symbol) @name)) @def.variable
(choice name: (name (symbol) @name)) @def.variable
(menu name: (string) @name) @def.section
(mainmenu name: (string) @name) @def.section
(comment) @comment

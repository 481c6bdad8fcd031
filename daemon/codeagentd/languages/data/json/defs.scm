; Keys of nested objects, four deep: as far as an OpenAPI file names its schemas' properties. Keys inside of arrays are data.
((document (object (pair key: (string (string_content) @name)) @def.key)) (#not-eq? @name "$ref"))
((document (object (pair value: (object (pair key: (string (string_content) @name)) @def.key)))) (#not-eq? @name "$ref"))
((document (object (pair value: (object (pair value: (object (pair key: (string (string_content) @name)) @def.key)))))) (#not-eq? @name "$ref"))
((document (object (pair value: (object (pair value: (object (pair value: (object (pair key: (string (string_content) @name)) @def.key)))))))) (#not-eq? @name "$ref"))

; The same where the file has no end.
((ERROR (pair key: (string (string_content) @name)) @def.key) (#not-eq? @name "$ref"))
((ERROR (pair value: (object (pair key: (string (string_content) @name)) @def.key))) (#not-eq? @name "$ref"))

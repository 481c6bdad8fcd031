; Values are no names.

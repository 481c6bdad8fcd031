; Libraries have no paths: no import leads to a file.

-- Includes of source files of C and C++. There are few, and only then can a source file use what the files that include
-- it have declared before.
CREATE INDEX imports_of_sources ON imports(module) WHERE rtrim(module, '>') GLOB '*.[cC]' OR rtrim(module, '>') GLOB '*.c[cpux+]*';

; Imported files.
(import (string) @import)
(importstr (string) @import)

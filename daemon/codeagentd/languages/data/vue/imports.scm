; Imports stand in the script.

; What stands beside the code cells has no names.

"""How names are looked up beyond their file, one module per language that neither modules nor C#'s namespaces describe."""

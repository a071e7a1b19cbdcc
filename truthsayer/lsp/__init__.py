"""The language server: diagnostics, completion, hover, definitions and layout for editors."""

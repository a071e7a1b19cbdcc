"""What the command line and the language server show alike, in lines of text."""

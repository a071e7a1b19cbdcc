"""Reports as files and text: each format has a file of its own, with functions of values alone."""

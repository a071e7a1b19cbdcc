"""The command `truthsayer`, and `python -m truthsayer`: both begin here."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line. Loading it takes a moment, and Ctrl-C is quiet then, too."""
    try:
        from truthsayer.cli import main as command_line

        command_line(prog_name="truthsayer")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()

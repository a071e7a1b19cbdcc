"""`python -m truthsayer` is the command `truthsayer`."""

from truthsayer.cli import main

if __name__ == "__main__":
    main(prog_name="truthsayer")

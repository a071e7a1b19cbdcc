"""What the rulebook says, a second time and on purpose: in plain Z3, without a look at the engine.

Each file is a chapter of the rulebook. Its functions take Z3 terms (how many, how strong, whether)
and say with Z3 terms what comes out; seats are plain numbers from 0 clockwise, and nobody is
`NOBODY`. Nothing here imports the engine or the verifier, so a mistake of the engine is not
repeated here by itself.
"""

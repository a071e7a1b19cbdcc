"""The reference engine: the rules of the games as pure functions on immutable values."""

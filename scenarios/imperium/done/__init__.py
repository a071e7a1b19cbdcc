"""What the phrases of `when` do, by who does it: players, chance, or the course of a round."""

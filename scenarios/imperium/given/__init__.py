"""What the phrases of `given` mean, by what they are about."""

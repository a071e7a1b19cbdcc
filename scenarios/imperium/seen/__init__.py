"""What the phrases of `then` see, by what they are about."""

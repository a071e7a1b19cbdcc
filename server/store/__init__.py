"""Where sessions and tokens are kept: SQLite, or PostgreSQL where several servers share them."""

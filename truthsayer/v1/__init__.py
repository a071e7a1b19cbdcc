"""The public contract, generated from proto/ (`make proto`)."""

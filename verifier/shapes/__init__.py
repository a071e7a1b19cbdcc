"""Any frame of every kind: how it is made, what it is asked, and the position it stands in."""

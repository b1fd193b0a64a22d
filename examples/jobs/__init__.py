"""One job a module; each answers a question about one column of numbers."""

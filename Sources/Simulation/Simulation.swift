// Filled in by its own commit.

"""Why a result is slow: where the tail's time went, what paused it, which settings govern that."""

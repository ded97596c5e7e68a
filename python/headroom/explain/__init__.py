"""Why a result is slow: show where the tail's time went, its pauses and the settings behind it."""

"""Why a result is slow: shows the parts of the tail's time, its pauses and the settings behind it."""

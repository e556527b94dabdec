"""The local socket: a running server answers other processes of the same user on the same home."""

"""The three automatic sources of memories: after a turn, after a session, over many sessions. Callers never wait."""

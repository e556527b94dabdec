"""Memory on a server, for programs: the verbs of the library, asked for over HTTP."""

"""The command line. stdout carries data, stderr messages; `--json` works with every command."""

"""The pages: what memory holds, searched and read by people."""

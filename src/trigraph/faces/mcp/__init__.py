"""The MCP face: memory as tools, resources and prompts of an agent, over stdio or streamable HTTP."""

// An MCP server of one's own: the tools of fstools, and beside them one that counts the words of a file.
//   npx tsx mcp-own-tool.ts /path/to/project
import { registerTools } from "@fstools/adapters/mcp";
import { defineTool, z } from "@fstools/protocol";
import { createToolset } from "@fstools/toolset";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const toolset = createToolset({ projectRoot: process.argv[2] ?? "." });

// It opens files through the same sandbox, so nothing outside the project can be counted either.
const words = defineTool({
  name: "Words",
  title: "Count words",
  description: "Count the words of a text file.",
  input: z.strictObject({ path: z.string().describe("The file, relative to the project root.") }),
  run: async ({ path }, call) => {
    const { sandbox } = toolset;
    const resolved = await sandbox.resolve(path);
    call.note({ path_resolved: resolved.relative });
    const file = sandbox.open(resolved);
    try {
      const content = file.head(file.size).toString("utf8");
      const count = content.split(/\s+/u).filter((word) => word !== "").length;
      return { data: { count }, summary: () => [`${count} words in '${resolved.relative}'.`] };
    } finally {
      file.close();
    }
  },
});

serveStdio(() => {
  const server = new McpServer({ name: "project", version: "1.0.0" });
  registerTools(server, [...toolset.tools, words], { truncate: toolset.truncate });
  return server;
});

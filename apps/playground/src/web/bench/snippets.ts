import type { Params } from "../../params.ts";

/** How to get a tool in TypeScript: its package, its factory, and a name for it. */
const FACTORIES: Readonly<Record<string, readonly [string, string, string]>> = {
  LS: ["@fstools/ls", "createLsTool", "ls"],
  Glob: ["@fstools/glob", "createGlobTool", "glob"],
  Grep: ["@fstools/grep", "createGrepTool", "grep"],
  Read: ["@fstools/read", "createReadTool", "read"],
  read: ["@fstools/read-opencode", "createOpencodeReadEnvelopeTool", "read"],
  Edit: ["@fstools/edit", "createEditTool", "edit"],
  Write: ["@fstools/write", "createWriteTool", "write"],
};

/** A program that makes the call. */
export function typescriptSnippet(tool: string, params: Params): string {
  const [from, factory, name] = FACTORIES[tool] ?? ["@fstools/toolset", "createToolset", "toolset"];
  return `import { renderForModel } from "@fstools/protocol";
import { ${factory} } from "${from}";

const ${name} = ${factory}({ projectRoot: process.cwd() });
const response = await ${name}.run(${JSON.stringify(params, undefined, 2)});

console.log(response.status, renderForModel(response));
`;
}

/** The call as an MCP client sends it. */
export function mcpRequest(tool: string, params: Params): string {
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: params } };
  return JSON.stringify(request, undefined, 2);
}

/** The call to this playground's server, for a POSIX shell. */
export function curlCommand(url: string, token: string, params: Params): string {
  const parts = ["-H", `Authorization: Bearer ${token}`, "-H", "Content-Type: application/json"];
  return ["curl -s", ...[...parts, "-d", JSON.stringify({ params }), url].map(shellWord)].join(" ");
}

function shellWord(text: string): string {
  return /^[\w./:-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

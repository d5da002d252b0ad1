// Files in a container or on another machine, looked at where they are; the model runs here.
//   npx tsx remote-container.ts docker exec -i box npx -y @fstools/mcp --root /srv/app --structured
//   npx tsx remote-container.ts ssh host npx -y @fstools/mcp --root /srv/app --structured
import { createInterface } from "node:readline/promises";
import { renderForModel } from "@fstools/protocol";
import { connectToolset } from "@fstools/remote";

const [, , command = "npx", ...args] = process.argv;
const remote = await connectToolset({ command, args });
console.log(remote.tools.map(({ name }) => name).join(", "));

// Instead of a model: lines such as `Grep {"pattern":"TODO"}`. With an SDK it is `toAiSdkTools(tools)`.
for await (const line of createInterface({ input: process.stdin })) {
  const [, name = "", json = ""] = /^(\w+) *(.*)$/u.exec(line) ?? [];
  const tool = remote.tools.find((candidate) => candidate.name === name);
  console.log(tool === undefined ? `There is no tool '${name}'.` : renderForModel(await tool.run(json)));
}
await remote.close();

// OpenAI's Agents SDK with apply_patch, the tool that its models were trained on: every patch is shown, and asked for.
//   OPENAI_API_KEY=… npx tsx openai-agents-patch.ts "Use port 8080."
import { createInterface } from "node:readline/promises";
import { createPatchEditor, toOpenAIAgentsTools } from "@fstools/adapters/openai-agents";
import { createToolset } from "@fstools/toolset";
import { Agent, applyPatchTool, run } from "@openai/agents";

async function approve(diff: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${diff}Apply this patch? (y/n) `);
  terminal.close();
  return answer === "y";
}

const patching = createToolset({
  projectRoot: ".",
  tools: ["Read", "Patch"],
  confirm: ({ diff }) => approve(diff),
});
// The same sandbox, with what models look with.
const looking = createToolset({ sandbox: patching.sandbox, tools: ["LS", "Glob", "Grep", "Read"] });

const agent = new Agent({
  name: "Patcher",
  model: process.env.MODEL ?? "gpt-5.1",
  instructions: "Paths are relative to the project root. Look before you patch.",
  tools: [...toOpenAIAgentsTools(looking), applyPatchTool({ editor: createPatchEditor(patching) })],
});
const { finalOutput } = await run(agent, process.argv[2] ?? "What is in this folder?");
console.log(finalOutput);

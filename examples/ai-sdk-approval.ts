// An agent on the AI SDK that shows each change as a diff, and asks before it makes it.
//   OPENAI_API_KEY=… npx tsx ai-sdk-approval.ts "Correct the typo in README.md"
import { createInterface } from "node:readline/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { toAiSdkTools } from "@fstools/adapters/ai-sdk";
import { createToolset } from "@fstools/toolset";
import { generateText, type ModelMessage, stepCountIs } from "ai";

const { OPENAI_API_KEY = "", OPENAI_BASE_URL = "https://api.openai.com/v1", MODEL = "gpt-5" } = process.env;
const provider = createOpenAICompatible({ name: "openai", baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });
const toolset = createToolset({ projectRoot: ".", tools: ["LS", "Glob", "Grep", "Read", "Edit", "Write"] });
const tools = toAiSdkTools(toolset);

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}

/** What a call would change, or why it cannot be made. */
async function preview(name: string, input: unknown): Promise<string> {
  const params = typeof input === "object" ? { ...input, dry_run: true } : input;
  const { data = {}, text = "" } = (await toolset.tool(name)?.run(params)) ?? {};
  return "diff_preview" in data ? String(data.diff_preview) : text;
}

const messages: ModelMessage[] = [{ role: "user", content: process.argv[2] ?? "What is in this folder?" }];
for (let isDone = false; !isDone;) {
  const options = { model: provider(MODEL), tools, stopWhen: stepCountIs(50) };
  const { content, text, response } = await generateText({ ...options, messages });
  messages.push(...response.messages);
  const requests = content.filter((part) => part.type === "tool-approval-request");
  for (const { approvalId, toolCall } of requests) {
    console.log(await preview(toolCall.toolName, toolCall.input));
    const approved = (await ask("Make this change? (y/n) ")) === "y";
    messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] });
  }
  isDone = requests.length === 0;
  if (isDone) console.log(text);
}

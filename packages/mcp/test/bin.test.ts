import { conformant, fixture } from "@fstools/testing";
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { DEFAULT_TOOL_NAMES } from "@fstools/toolset";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, errorCode, type TestClient, WAYS } from "./clients.ts";
import { runServer } from "./launch.ts";

const TREE = { "a.txt": "one\ntwo\n", ".env": "SECRET=1\n", src: { "index.ts": "export {};\n" } };

/** For a machine that has other things to do. */
const PATIENT = { timeout: 20_000 };

describe.each(WAYS)("as a process, client of $generation over $carrier", (way) => {
  let client: TestClient;
  const project = fixture(TREE);

  beforeAll(async () => {
    client = await connect(way, { args: ["--root", project.root, "--deny", "**/.env", "--structured"] });
  });

  afterAll(async () => {
    await client.close();
    project.cleanup();
  });

  it("lists the tools as read-only, with the envelope as output schema", async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(DEFAULT_TOOL_NAMES);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true });
      expect(tool.outputSchema).toMatchObject({
        type: "object",
        required: ["status", "data", "text", "stats", "context"],
      });
    }
  });

  it("answers a call with the text, and the envelope beside it", async () => {
    const { content, structuredContent, isError } = await client.call("Read", { path: "a.txt" });
    expect(content[0].text).toBe("1\tone\n2\ttwo\n");
    expect(content[0].text).toMatch(/one\n.*two\n/u);
    expect(isError).toBe(false);
    conformant(structuredContent, "read");
  });

  it("marks an error, with the tool's own advice", async () => {
    const answer = await client.call("Read", { path: "a.txt", limt: 2 });
    expect(answer.isError).toBe(true);
    expect(answer.content[0].text).toContain("Unknown parameter 'limt'. Did you mean 'limit'?");
    expect(errorCode(answer)).toBe("INVALID_PARAM");
    conformant(answer.structuredContent);
  });

  // Rule: Nothing outside the roots is reachable.
  it.each(["..", "/", "src/../../x", "/etc/passwd"])("keeps %s outside", async (path) => {
    for (const tool of ["LS", "Read"]) {
      const answer = await client.call(tool, { path });
      expect(answer.isError).toBe(true);
      expect(errorCode(answer)).toBe("ACCESS_DENIED");
      conformant(answer.structuredContent);
    }
  });

  it("keeps what is denied from the model", async () => {
    const { content } = await client.call("LS", { include_hidden: true });
    expect(content[0].text).not.toContain(".env");
    expect(errorCode(await client.call("Read", { path: ".env" }))).toBe("ACCESS_DENIED");
  });

  it("answers 100 parallel calls, each with its own", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `file-${index}.txt`);
    project.write(Object.fromEntries(names.map((name) => [name, `content of ${name}\n`])));
    const answers = await Promise.all(names.map((path) => client.call("Read", { path })));
    for (const [index, { content }] of answers.entries()) {
      expect(content[0].text).toContain(`content of file-${index}.txt`);
    }
  });

  // Rule: A cancelled call stops reading the disk.
  it.runIf(process.platform === "linux")("stops the work when the client cancels", { timeout: 60_000 }, async () => {
    makeHugeFile(project.path("huge.log"));
    const abort = new AbortController();
    const progress: number[] = [];
    const running = client.call(
      "Read",
      { path: "huge.log" },
      { signal: abort.signal, onprogress: (update) => progress.push(update.progress) },
    );
    const settled = Promise.allSettled([running]);
    // Progress tells that the server is in the middle of it.
    await expect.poll(() => progress.length, PATIENT).toBeGreaterThan(0);
    const before = bytesRead(client.pid);
    await expect.poll(() => bytesRead(client.pid) - before, PATIENT).toBeGreaterThan(10e6);
    abort.abort();
    expect((await settled)[0].status).toBe("rejected");
    await expect.poll(() => bytesReadIn300Ms(client.pid), PATIENT).toBeLessThan(1e6);
    expect((await client.call("Read", { path: "a.txt" })).isError).toBe(false);
  });
});

describe.each(WAYS)("the client's roots, client of $generation over $carrier", (way) => {
  // Rule: The client's roots count when there is no `--root`, and only then.
  it("are used when no --root is given", async () => {
    const [one, two] = [fixture({ "one.txt": "1\n" }), fixture({ "two.txt": "2\n" })];
    const client = await connect(way, {
      args: ["--structured"],
      offers: ["file://another-host/share", pathToFileURL(one.root).href, pathToFileURL(two.root).href],
    });
    onTestFinished(() => client.close());
    expect((await client.call("LS", {})).content[0].text).toContain(`${basename(one.root)}/`);
    expect((await client.call("Glob", { pattern: "**" })).content[0].text).toMatch(
      /one\.txt[^]*two\.txt|two\.txt[^]*one\.txt/u,
    );
    expect((await client.call("Read", { path: "one.txt" })).content[0].text).toContain("Note: 'one.txt' was taken as");
    expect((await client.call("LS", { path: two.root })).content[0].text).toContain("two.txt");
    expect((await client.call("Read", { path: `${basename(two.root)}/two.txt` })).content[0].text).toContain("2\n");
    expect(errorCode(await client.call("LS", { path: "/" }))).toBe("ACCESS_DENIED");
  });
});

describe("the command", () => {
  it("offers the tools that --tools names", async () => {
    const { root } = fixture(TREE);
    const client = await connect(
      { generation: "2025", carrier: "stdio" },
      { args: ["--root", ".", "--tools", "read,LS"], cwd: root },
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["read", "LS"]);
    const { content } = await client.call("read", { filePath: "a.txt" });
    expect(content[0].text).toContain("1: one");
  });

  // Rule: A wrong command line ends with a message and code 2.
  it.each([
    [["--help"], 0, /^Usage: fstools-mcp/u, /^$/u],
    [["--root", "/no/such/directory"], 2, /^$/u, /no\/such\/directory/u],
    [["--root", ".", "--http", "0.0.0.0:0"], 2, /^$/u, /'0\.0\.0\.0' is not a loopback address/u],
    [["--nonsense"], 2, /^$/u, /--nonsense/u],
  ])("%j ends with %i", async (args, code, out, err) => {
    const ended = await runServer(args);
    expect(ended.code).toBe(code);
    expect(ended.out).toMatch(out);
    expect(ended.err).toMatch(err);
  });
});

/** A text file of 200 GB that takes no room on the disk, and much longer to read than a test lasts. */
function makeHugeFile(path: string): void {
  const file = openSync(path, "w");
  writeSync(file, "a line of text\n".repeat(1000));
  ftruncateSync(file, 200e9);
  closeSync(file);
}

/** How much a process has read since it began. */
function bytesRead(pid: number): number {
  return Number(/^rchar: (?<bytes>\d+)$/mu.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.groups?.bytes);
}

async function bytesReadIn300Ms(pid: number): Promise<number> {
  const before = bytesRead(pid);
  await sleep(300);
  return bytesRead(pid) - before;
}

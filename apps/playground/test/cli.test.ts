import { fixture } from "@fstools/testing";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChatEndpoint } from "./support/chat-endpoint.ts";
import { inProcess, playground, start } from "./support/terminal.ts";

const demo = fileURLToPath(new URL("../demo/orchard", import.meta.url));
const project = () =>
  fixture({ "README.md": "# Orchard\n\nApples.\n", src: { "main.ts": "export const apples = 3;\n" } }).root;

describe("help", () => {
  it("lists the commands", async () => {
    const { code, stdout } = await inProcess(["--help"]);
    expect(code).toBe(0);
    for (const command of ["serve", "ask", "chat", "run", "undo", "tools"]) expect(stdout).toContain(`\n  ${command} `);
  });

  it.each(["serve", "ask", "chat", "run", "undo", "tools"])("explains %s", async (command) => {
    const { code, stdout } = await inProcess([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: pnpm playground ${command}`);
    expect(stdout).toContain("--root <dir>");
  });
});

describe("mistakes", () => {
  it.each([
    [["fly"], "unknown command 'fly'"],
    [["srve"], "(Did you mean serve?)"],
    [["ask", "--modle", "x", "Hello"], "(Did you mean --model?)"],
    [["ask", "--model"], "option '--model <name>' argument missing\n"],
    [["tools", "Fly"], "There is no tool 'Fly'. The tools are LS, "],
    [["ask", "--colour", "Hello"], "unknown option '--colour'"],
    [["ask"], "missing required argument 'question'"],
    [["ask", "Hello", "--root", "/no/such/place"], "--root must be an existing directory; '/no/such/place' is not."],
    [["ask", "Hello", "--max-steps", "none"], "'none' is invalid. It must be a whole number between 1 and 50."],
    [["ask", "Hello", "--base-url", "http://127.0.0.1:1/v1"], "--base-url needs --model as well"],
    [["run"], "Which tool? The tools are LS, Glob, "],
    [["run", "Fly"], "There is no tool 'Fly'."],
    [["run", "Read", "README.md"], "The parameters must be NAME=VALUE pairs or a JSON object"],
    [["run", "Read", "README.md", "limit=2"], "Pass one JSON object or NAME=VALUE pairs"],
    [["run", "LS", "--deny", "/etc/passwd"], "deny"],
    [["run", "LS", "--write", "--read-only"], "option '--read-only' cannot be used with option '--write'"],
    [["serve", "--port", "99999"], "It must be a whole number between 0 and 65535"],
  ])("answers %j with advice", async (args, message) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
    expect(stdout).toBe("");
  });
});

describe("run", () => {
  it("prints the envelope as JSON", async () => {
    const { code, stdout } = await inProcess(["run", "Read", '{"path":"README.md"}', "--root", project()]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "success",
      data: { truncated: false },
      stats: { total_lines: 3 },
    });
  });

  it("prints what a model reads", async () => {
    const { code, stdout } = await inProcess(["run", "Read", '{"path":"README.md"}', "--text", "--root", project()]);
    expect(code).toBe(0);
    expect(stdout).toContain("1\t# Orchard\n2\t\n3\tApples.\n");
  });

  it("takes NAME=VALUE pairs, and JSON from stdin", async () => {
    const root = project();
    const pairs = await inProcess(["run", "Read", "path=README.md", "limit=1", "--root", root]);
    expect(JSON.parse(pairs.stdout)).toMatchObject({ data: { content: "   1 | # Orchard\n" } });
    const listed = await inProcess(["run", "LS", "ignore=*.md", "ignore=x", "--root", root]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: { entries: [{ path: "src" }] } });
    const piped = await playground(["run", "Read", "-", "--root", root], { input: '{"path":"README.md","limit":1}\n' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ data: { content: "   1 | # Orchard\n" } });
  });

  it("fails where the call fails", async () => {
    const { code, stdout } = await inProcess(["run", "Read", '{"path":"../x"}', "--root", project()]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: "error", error: { code: "ACCESS_DENIED" } });
  });

  it("sends the answer through the truncator on demand", async () => {
    const { root } = fixture(Object.fromEntries(Array.from({ length: 90 }, (_, file) => [`file-${file}.txt`, ""])));
    const { stdout } = await inProcess(["run", "LS", "--truncate", "--max-bytes", "200", "--root", root]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "partial", data: { truncation: { max_bytes: 200 } } });
    const limited = await inProcess(["run", "LS", "--max-bytes", "200", "--root", root]);
    expect(JSON.parse(limited.stdout)).toMatchObject({ data: { truncation: { max_bytes: 200 } } });
  });

  it("takes several directories as one project", async () => {
    const { path } = fixture({ web: { "a.txt": "" }, api: { "b.txt": "" } });
    const roots = ["--root", path("web"), "--root", path("api")];
    const { stdout } = await inProcess(["run", "Glob", "pattern=**", ...roots]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { paths: ["api/b.txt", "web/a.txt"] } });
    const { code, stderr } = await inProcess(["run", "LS", ...roots, "--root", path("gone")]);
    expect([code, stderr.includes(`'${path("gone")}' is not`)]).toEqual([2, true]);
  });

  // Rule: `.env`, `.npmrc`, `.netrc` and private keys are invisible.
  it("hides what --deny names, and secrets in any case", async () => {
    const secrets = [".env", ".env.local", ".npmrc", ".netrc", "tls.pem", "tls.p12", "id_rsa", "id_ed25519"];
    const { root } = fixture({
      ...Object.fromEntries(secrets.map((name) => [name, "KEY=1"])),
      "a.txt": "",
      "b.secret": "",
    });
    const args = ["run", "LS", '{"include_hidden":true}', "--root", root, "--deny", "**/*.secret"];
    const { stdout } = await inProcess(args);
    expect(JSON.parse(stdout)).toMatchObject({ data: { entries: [{ path: "a.txt" }] } });
  });
});

describe("tools", () => {
  it("prints names and schemas", async () => {
    const { code, stdout } = await inProcess(["tools", "--json", "--read-only"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: "LS", parameters: { type: "object" } },
      { name: "Glob", parameters: { required: ["pattern"] } },
      { name: "Grep", parameters: { required: ["pattern"] } },
      { name: "Read", parameters: { required: ["path"] } },
      { name: "read", parameters: { required: ["filePath"] } },
    ]);
  });
});

it("prints the tools that were named", async () => {
  const { code, stdout } = await inProcess(["tools", "Read", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ name: "Read" }]);
});

it("offers tools that write only where that is allowed", async () => {
  const { stdout } = await inProcess(["tools", "--json", "--write"]);
  expect(JSON.parse(stdout)).toMatchObject(
    ["LS", "Glob", "Grep", "Read", "read", "Edit", "Write", "Patch", "Move", "Delete"].map((name) => ({ name })),
  );
});

describe("ask", () => {
  it("prints the steps on stderr, and nothing but the answer on stdout", async () => {
    const { code, stdout, stderr } = await playground(["ask", "What is in src?", "--root", project()]);
    expect(code).toBe(0);
    expect(stderr).toContain("model: offline agent (rule-based)");
    expect(stderr).toContain("I list 'src'.");
    expect(stderr).toContain('→ LS {"path":"src"}');
    expect(stderr).toMatch(/✓ LS success \(\d+ ms, \d+ tokens\) Listed 1 entries in 'src'/u);
    expect(stderr).toMatch(/answered after 2 steps/u);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^Context: [1-9]\d* tokens /u);
    expect(stdout).toMatch(/^`src` has 1 entry/u);
    expect(stdout).toContain("`src/main.ts`");
    expect(stdout).not.toContain("→");
  });

  it("makes the change of its example", async () => {
    const help = await inProcess(["ask", "--help"]);
    const [, question = ""] =
      /ask "(Change .*)" --root apps\/playground\/demo\/orchard --write/u.exec(help.stdout) ?? [];
    const { root, path } = fixture({});
    cpSync(demo, root, { recursive: true });
    const { code, stdout, stderr } = await inProcess(["ask", question, "--root", root, "--write"], { input: "y\n" });
    expect(code).toBe(0);
    expect(stderr).toContain("+  apple: 0.75,");
    expect(stdout).toMatch(/^Changed `apple: 0.6` to `apple: 0.75` in `src\/prices.ts`\./u);
    expect(readFileSync(path("src/prices.ts"), "utf8")).toContain("apple: 0.75");
  });

  it("undoes its changes, the last one first", async () => {
    const { root, path } = fixture({ "a.txt": "red\n" });
    for (const question of ["Change red to green in a.txt", "Change green to blue in a.txt"])
      await inProcess(["ask", question, "--root", root, "--write"], { input: "y\n" });
    for (const colour of ["green\n", "red\n"]) {
      expect((await inProcess(["undo", "--root", root])).stdout).toContain("Undid 1 change (1 file).");
      expect(readFileSync(path("a.txt"), "utf8")).toBe(colour);
    }
    expect((await inProcess(["undo", "--root", root])).stderr).toBe("There is nothing to undo.\n");
    const { stdout } = await inProcess(["undo", "--list", "--root", root]);
    const [id = "", ...rest] = stdout.split(/\s+/u);
    expect(rest.filter((word) => /^(?:Edit|Undo)$/u.test(word))).toEqual(["Undo", "Undo", "Edit", "Edit"]);
    expect((await inProcess(["undo", id, "--root", root])).code).toBe(0);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("green\n");
  });

  it("shows the control characters of a file instead of obeying them", async () => {
    const { root } = fixture({ "evil.txt": "a\u001b]0;title\u0007b\u202ec\n" });
    const { stdout, stderr } = await inProcess(["ask", "Read evil.txt", "--root", root]);
    expect(stdout).toContain("a\\u001b]0;title\\u0007b\\u202ec");
    for (const control of ["\u001b", "\u0007", "\u202e"]) expect(stdout + stderr).not.toContain(control);
  });

  it("prints events as JSON", async () => {
    const { stdout } = await inProcess(["ask", "Hello", "--json", "--root", project()]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: "start" });
    expect(events.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  });

  it("takes the model from the environment and keeps its key to itself", async () => {
    const endpoint = await startChatEndpoint("right", () => ({ text: ["Forty-two."] }));
    onTestFinished(() => endpoint.close());
    const env = { PLAYGROUND_BASE_URL: endpoint.baseUrl, PLAYGROUND_MODEL: "m", PLAYGROUND_API_KEY: "right" };
    const right = await inProcess(["ask", "What?", "--root", project()], { env });
    expect(right).toMatchObject({ code: 0 });
    expect(right.stdout).toContain("Forty-two.");
    const wrong = await playground(["ask", "What?", "--root", project(), "--api-key", "sk-wrong-1"], { env });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("answered 401");
    expect(wrong.stdout + wrong.stderr).not.toContain("sk-wrong-1");
  });

  it("finds how the truncator decides what to keep, in this repository", async () => {
    const { code, stdout, stderr } = await inProcess(["ask", "How does the truncator decide what to keep?"]);
    expect(code).toBe(0);
    expect(stderr).toContain("→ Grep");
    expect(stderr.split("→ Read").length - 1).toBeLessThanOrEqual(2);
    const [, tokens] = /^Context: (\d+) tokens /mu.exec(stderr) ?? [];
    expect(Number(tokens)).toBeLessThan(3000);
    expect(stdout).toMatch(/`packages\/protocol\/src\/truncate\/\w+\.ts` fits best/u);
    expect(stdout).toMatch(/`packages\/protocol\/src\/truncate\/\w+\.ts:\d+-\d+`\n\n```ts\n +\d+ \| /u);
  });
});

describe("chat", () => {
  it("holds a conversation", async () => {
    const { root } = fixture({ "long.txt": "line\n".repeat(600) });
    const input = "Read long.txt\ncontinue\n/new\ncontinue\n/exit\n";
    const { code, stdout } = await inProcess(["chat", "--root", root], { input });
    expect(code).toBe(0);
    expect(stdout).toContain('→ Read {"path":"long.txt","start_line":101,"limit":100}');
    expect(stdout).toContain("There is nothing to continue");
  });
});

describe("serve", () => {
  it("says where the page is and which project it shows, and ends when told to", async () => {
    const root = project();
    const child = start(["serve", "--port", "0", "--root", root]);
    let stdout = "";
    const url = await new Promise<string>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        stdout += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/u.exec(stdout)?.[0];
        if (found !== undefined && stdout.includes("Ctrl+C")) resolve(found);
      });
    });
    expect(stdout).toContain(`project  ${root}\n`);
    const page = await fetch(url);
    expect(await page.text()).toContain('<div id="app">');
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  }, 120_000);
});

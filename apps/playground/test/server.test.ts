import { conformant, fixture } from "@fstools/testing";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startChatEndpoint } from "./support/chat-endpoint.ts";
import { post, send, startPlayground, type Answer } from "./support/playground.ts";

const READ = { params: { path: "a.txt" } };

const envelopeOf = ({ text }: Answer) =>
  z.object({ response: z.looseObject({ status: z.string(), text: z.string() }) }).parse(JSON.parse(text)).response;

const problemOf = ({ text }: Answer) => z.object({ error: z.string() }).parse(JSON.parse(text)).error;

/** The pieces of an answer: server-sent events of the AI SDK. */
const chunksOf = ({ text }: Answer) =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => z.looseObject({ type: z.string() }).parse(JSON.parse(event.slice("data: ".length))));

const question = (text: string) => ({ session: randomUUID(), question: text });

/** The id of the change that an answer waits with. */
const waitingIn = (answer: Answer) =>
  z.string().parse(chunksOf(answer).find(({ type }) => type === "tool-approval-request")?.approvalId);

describe("who may call the server", () => {
  // Rule: A foreign Host is refused.
  it.each(["evil.test", "evil.test:80", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.test:{port}", "0.0.0.0:{port}"])(
    "refuses the Host %s",
    async (host) => {
      const server = await startPlayground();
      const headers = { Host: host.replace("{port}", new URL(server.url).port) };
      for (const answer of [
        await send(server, "/", { headers }),
        await send(server, "/api/info", { headers }),
        await post(server, "/api/tools/Read", READ, headers),
        await post(server, "/api/agent", question("Hello"), headers),
      ]) {
        expect(answer.status).toBe(403);
        expect(answer.text).not.toContain("one");
      }
    },
  );

  // Rule: A foreign Origin is refused.
  it.each([
    "http://evil.test",
    "null",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
    "http://127.0.0.1:{port}.evil.test",
  ])("refuses the Origin %s", async (origin) => {
    const server = await startPlayground();
    const headers = { Origin: origin.replace("{port}", new URL(server.url).port) };
    expect((await send(server, "/api/info", { headers })).status).toBe(403);
    expect((await post(server, "/api/tools/Read", READ, headers)).status).toBe(403);
  });

  it("refuses a script of another site that sends no Origin", async () => {
    const server = await startPlayground();
    const answer = await send(server, "/api/info", {
      headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" },
    });
    expect(answer.status).toBe(403);
  });

  it("refuses a form's content type, which needs no preflight", async () => {
    const server = await startPlayground();
    const answer = await post(server, "/api/tools/Read", READ, { "Content-Type": "text/plain" });
    expect(answer.status).toBe(400);
    expect(problemOf(answer)).toBe("The body must be sent as application/json.");
  });

  it.each(["127.0.0.1", "localhost", "[::1]"])("serves its own page under %s", async (name) => {
    const server = await startPlayground();
    const host = `${name}:${new URL(server.url).port}`;
    const answer = await post(server, "/api/tools/Read", READ, { Host: host, Origin: `http://${host}` });
    expect(answer.status).toBe(200);
    expect(
      (
        await send(server, "/", {
          headers: { Host: host, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" },
        })
      ).status,
    ).toBe(200);
  });

  it.each(["", "Bearer wrong", "Basic {token}", "{token}"])("refuses the Authorization %j", async (header) => {
    const server = await startPlayground();
    const headers = { Authorization: header.replace("{token}", server.token) };
    for (const answer of [
      await send(server, "/api/info", { headers }),
      await post(server, "/api/tools/Read", READ, headers),
      await post(server, "/api/agent", question("Hello"), headers),
    ]) {
      expect(answer.status).toBe(401);
      expect(problemOf(answer)).toContain("token");
    }
  });

  it("opens at the printed address, and not without its token", async () => {
    const server = await startPlayground();
    expect((await fetch(server.url)).status).toBe(200);
    for (const path of ["/index.html", "/?token=wrong", "/index.html?token="]) {
      const answer = await send(server, path);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain("page</p>");
    }
  });

  // Rule: The server listens on loopback only.
  it("listens on loopback only", async () => {
    expect(new URL((await startPlayground()).url).hostname).toBe("127.0.0.1");
  });

  it("sends headers that keep foreign code out", async () => {
    const { headers } = await send(await startPlayground(), "/");
    expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
  });
});

describe("what the server takes", () => {
  it("runs a tool", async () => {
    const server = await startPlayground();
    const answer = await post(server, "/api/tools/Read", READ);
    expect(conformant(envelopeOf(answer), "read")).toMatchObject({
      status: "success",
      data: { content: "   1 | one\n   2 | two\n" },
    });
  });

  it("answers a failing call with its envelope", async () => {
    const answer = await post(await startPlayground(), "/api/tools/Read", { params: { path: "../a.txt" } });
    expect(answer.status).toBe(200);
    expect(conformant(envelopeOf(answer))).toMatchObject({ status: "error", error: { code: "ACCESS_DENIED" } });
  });

  it("refuses a body that is too large, with and without a stated length", async () => {
    const server = await startPlayground();
    const body = JSON.stringify({ params: { path: "x".repeat(70_000) } });
    const stated = await post(server, "/api/tools/Read", body, { "Content-Length": String(body.length) });
    const chunked = await post(server, "/api/tools/Read", body, { "Transfer-Encoding": "chunked" });
    expect([stated.status, chunked.status]).toEqual([413, 413]);
    expect(problemOf(stated)).toContain("65536 bytes");
  });

  it("names the tools when one is unknown", async () => {
    const answer = await post(await startPlayground(), "/api/tools/Fly", { params: {} });
    expect(answer.status).toBe(404);
    expect(problemOf(answer)).toContain("There is no tool 'Fly'. The tools are LS, Glob,");
  });

  it.each(["{", "", "not json"])("refuses malformed JSON (%j)", async (body) => {
    const answer = await post(await startPlayground(), "/api/tools/Read", body);
    expect(answer.status).toBe(400);
    expect(problemOf(answer)).toBe("The body is not valid JSON.");
  });

  // Rule: No endpoint takes a root.
  it.each([
    ["/api/tools/LS", { params: {}, root: "/" }, "root"],
    ["/api/tools/LS", { params: {}, projectRoot: "/" }, "projectRoot"],
    ["/api/agent", { session: "x", question: "Hello" }, "Invalid"],
    ["/api/agent", { session: randomUUID(), question: "  " }, "question"],
    ["/api/agent", { session: randomUUID(), question: "x".repeat(5000) }, "question"],
    ["/api/agent", { session: randomUUID(), question: "Hi", model: "other" }, "model"],
  ])("refuses %s %j", async (path, body, culprit) => {
    const answer = await post(await startPlayground(), path, body);
    expect(answer.status).toBe(400);
    expect(problemOf(answer)).toContain(culprit);
  });

  it.each(["/../package.json", "/%2e%2e/package.json", "/etc/passwd", "/a.txt", "/api/nothing"])(
    "serves nothing at %s",
    async (path) => {
      expect((await send(await startPlayground(), path)).status).toBe(404);
    },
  );

  it("answers twenty parallel calls, each with its own result", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `file-${index}.txt`);
    const { root } = fixture(Object.fromEntries(names.map((name) => [name, `${name} says hello\n`])));
    const server = await startPlayground({ root });
    const answers = await Promise.all(names.map((path) => post(server, "/api/tools/Read", { params: { path } })));
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(200);
      expect(conformant(envelopeOf(answer), "read")).toMatchObject({
        data: { content: `   1 | file-${index}.txt says hello\n` },
      });
    }
  });

  // Rule: Without an approved change nothing is written except the spill.
  it("writes to the spill store and to nothing else", async () => {
    const names = Array.from({ length: 90 }, (_, index) => `${index + 10} is a long name.txt`);
    const { root } = fixture({ "a.txt": "one\n", ...Object.fromEntries(names.map((name) => [name, ""])) });
    const server = await startPlayground({ root, maxBytes: 200 });
    await post(server, "/api/tools/Read", READ);
    expect(readdirSync(root).sort()).toEqual([...names, "a.txt"]);
    const answer = await post(server, "/api/agent", question("Find all txt files"));
    const cut = chunksOf(answer).find(({ type }) => type === "tool-output-available");
    expect(conformant(cut?.output)).toMatchObject({ status: "partial", data: { truncated: true } });
    expect(readdirSync(root).sort()).toEqual([...names, "a.txt", "tool-output"]);
  });

  it("takes another port where the wanted one is in use", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      blocker.close();
    });
    const address = blocker.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const server = await startPlayground({ port });
    expect(new URL(server.url).port).not.toBe(String(port));
    expect((await send(server, "/api/info")).status).toBe(200);
  });
});

describe("the agent behind the server", () => {
  it("streams an answer, and remembers the conversation", async () => {
    const server = await startPlayground({ root: fixture({ "long.txt": "line\n".repeat(700) }).root });
    const session = randomUUID();
    const first = chunksOf(await post(server, "/api/agent", { session, question: "Read long.txt" }));
    expect(first[0]).toMatchObject({ type: "start" });
    expect(first.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
    const second = chunksOf(await post(server, "/api/agent", { session, question: "continue" }));
    expect(second.find(({ type }) => type === "tool-input-available")).toMatchObject({
      input: { path: "long.txt", start_line: 101 },
    });
    const stranger = chunksOf(await post(server, "/api/agent", question("continue")));
    expect(stranger.some(({ type }) => type === "tool-input-available")).toBe(false);
  });

  // Rule: A decision reaches its change, whatever else happens meanwhile.
  it("takes decisions after 40 other conversations, under whatever project they are asked for", async () => {
    const { root, path } = fixture({ "main.txt": "red\n", "demo.txt": "red\n" });
    const server = await startPlayground({ root, writable: true });
    const waiting = [];
    for (const id of ["main", "demo"]) {
      const session = randomUUID();
      const asked = await post(server, "/api/agent", { session, question: `Change red to blue in ${id}.txt` });
      waiting.push({ id, session, decisions: [{ id: waitingIn(asked), approved: true }] });
    }
    for (let other = 0; other < 40; other++) await post(server, "/api/agent", question("Hello"));
    for (const { id, session, decisions } of waiting) {
      expect(readFileSync(path(`${id}.txt`), "utf8")).toBe("red\n");
      const seen = await send(server, `/api/agent?session=${session}`);
      expect(seen.text).toContain('"state":"approval-requested"');
      expect(seen.text).toContain("+blue");
      expect((await post(server, `/api/agent?project=${id}`, { session, decisions })).status).toBe(200);
      expect(readFileSync(path(`${id}.txt`), "utf8")).toBe("blue\n");
      expect((await post(server, "/api/agent", { session, decisions })).status).toBe(404);
    }
  });

  // Rule: What is written is what was shown, and nothing else.
  it("writes nothing if the change is not the one that was approved any more", async () => {
    const { root, write, path } = fixture({ "a.txt": "one\nred\n" });
    const server = await startPlayground({ root, writable: true });
    const session = randomUUID();
    const asked = await post(server, "/api/agent", { session, question: "Change red to blue in a.txt" });
    write({ "a.txt": "two\nred\n" });
    const decided = await post(server, "/api/agent", {
      session,
      decisions: [{ id: waitingIn(asked), approved: true }],
    });
    expect(decided.status).toBe(200);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("two\nred\n");
  });

  it("takes a history from nobody", async () => {
    const server = await startPlayground({ writable: true });
    const forged = { ...question("Go on"), messages: [{ role: "assistant", parts: [] }] };
    expect((await post(server, "/api/agent", forged)).status).toBe(400);
  });

  it("declines what waits when another question is asked", async () => {
    const { root, path } = fixture({ "a.txt": "red\n" });
    const server = await startPlayground({ root, writable: true });
    const session = randomUUID();
    const asked = await post(server, "/api/agent", { session, question: "Change red to blue in a.txt" });
    expect((await post(server, "/api/agent", { session, question: "Hello" })).status).toBe(200);
    const late = await post(server, "/api/agent", { session, decisions: [{ id: waitingIn(asked), approved: true }] });
    expect(late.status).toBe(404);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("red\n");
  });

  it("begins the demo with a conversation that was really held", async () => {
    const server = await startPlayground();
    const answer = await send(server, `/api/agent?project=demo&opening&session=${randomUUID()}`);
    const { messages } = z
      .object({ messages: z.array(z.looseObject({ role: z.string() })) })
      .parse(JSON.parse(answer.text));
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(answer.text).toContain('"wholeFiles"');
  });

  it("takes one question of a conversation at a time", async () => {
    const server = await startPlayground({ model: { paceMs: 15 } });
    const session = randomUUID();
    const [first, second] = await Promise.all([
      post(server, "/api/agent", { session, question: "Hello" }),
      post(server, "/api/agent", { session, question: "Hello" }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect((await post(server, "/api/agent", { session, question: "Hello" })).status).toBe(200);
  });

  it("refuses more questions than it has room for, and recovers", async () => {
    const server = await startPlayground({ model: { paceMs: 3 } });
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(server, "/api/agent", question("Hello"))));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await post(server, "/api/agent", question("Hello"))).status).toBe(200);
  });

  it("stops the model when the page goes away", async () => {
    const endpoint = await startChatEndpoint("k", () => ({ text: ["Well"], hangs: true }));
    onTestFinished(() => endpoint.close());
    const server = await startPlayground({ model: { baseUrl: endpoint.baseUrl, model: "m", apiKey: "k" } });
    const controller = new AbortController();
    const response = await fetch(new URL("/api/agent", server.url), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${server.token}` },
      body: JSON.stringify(question("Hello")),
      signal: controller.signal,
    });
    await response.body?.getReader().read();
    controller.abort();
    await endpoint.clientLeft;
  });

  // Rule: The key never reaches the page.
  it("shows the model's name, never its key", async () => {
    const key = "sk-very-secret-9d1";
    const endpoint = await startChatEndpoint("another", () => ({ text: ["Hi"] }));
    onTestFinished(() => endpoint.close());
    const server = await startPlayground({ model: { baseUrl: endpoint.baseUrl, model: "m", apiKey: key } });
    const info = await send(server, "/api/info");
    expect(info.text).toContain(`m at ${new URL(endpoint.baseUrl).host}`);
    const answer = await post(server, "/api/agent", question("Hello"));
    expect(JSON.stringify(chunksOf(answer).find(({ type }) => type === "error"))).toContain("401");
    expect(info.text + answer.text).not.toContain(key);
  });
});

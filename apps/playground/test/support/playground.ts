import { fixture } from "@fstools/testing";
import { request } from "node:http";
import { onTestFinished } from "vitest";
import { chooseModel, type ModelSettings } from "../../src/agent/model.ts";
import { listen, type RunningServer } from "../../src/server/listen.ts";
import type { PageFiles } from "../../src/server/page.ts";
import { openProject } from "../../src/project.ts";

const PAGE: PageFiles = new Map([
  ["/index.html", { type: "text/html", body: new TextEncoder().encode("<p>page</p>") }],
]);

/** What a test server shows. */
export interface PlaygroundOptions {
  readonly root?: string;
  readonly model?: ModelSettings;
  readonly page?: PageFiles;
  readonly port?: number;
  readonly maxBytes?: number;
  readonly writable?: boolean;
  readonly history?: string;
}

/** Starts a server on a free port; it stops when the running test ends. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Starts a server that its caller stops. */
export async function startServer(options: PlaygroundOptions = {}): Promise<RunningServer> {
  const root = options.root ?? fixture({ "a.txt": "one\ntwo\n", sub: { "b.txt": "" } }).root;
  const project = openProject({ root, writable: options.writable ?? false, history: options.history });
  return listen(
    {
      project,
      demoFirst: false,
      chosen: chooseModel(options.model ?? {}),
      limits: options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes },
      maxSteps: 12,
      page: options.page ?? PAGE,
    },
    options.port ?? 0,
  );
}

/** A plain HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a request as it is written, with the token unless `headers` say otherwise: fetch would not let a test set Host or Origin. */
export function send(
  server: RunningServer,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const own = path.startsWith("/api/") ? { Authorization: `Bearer ${server.token}` } : {};
    const address = path === "/" ? `/?token=${server.token}` : path;
    const options = { hostname, port, path: address, method, headers: { ...own, ...headers } };
    const outgoing = request(options, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.on("end", () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Posts JSON as the page does. */
export function post(
  server: RunningServer,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(server, path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

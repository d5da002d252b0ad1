import { serve } from "@hono/node-server";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Project } from "../project.ts";
import { createApp, type AppOptions } from "./app.ts";
import { createProjects } from "./projects.ts";

/** What is served, except for what the server makes itself. */
export interface ServeOptions extends Omit<AppOptions, "port" | "token" | "projects" | "messages"> {
  readonly project: Project;
  /** Whether a page begins with the demo. */
  readonly demoFirst: boolean;
}

/** A running server. */
export interface RunningServer {
  /** The page's address, with the token that opens it. */
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";

/** Serves on loopback; takes any free port where the wanted one is in use. */
export async function listen(options: ServeOptions, wantedPort: number): Promise<RunningServer> {
  let port = 0;
  const token = randomBytes(24).toString("base64url");
  const projects = createProjects(options.project, options.demoFirst);
  const app = createApp({ ...options, projects, token, port: () => port });
  const attempt = (wanted: number) =>
    new Promise<RunningServer>((resolve, reject) => {
      const server = serve({ fetch: app.fetch, hostname: HOST, port: wanted }, (info: AddressInfo) => {
        port = info.port;
        resolve({ url: `http://${HOST}:${port}/?token=${token}`, token, close });
      });
      const close = async () => {
        const closed = new Promise((done) => server.close(done));
        if ("closeAllConnections" in server) server.closeAllConnections();
        await closed;
        projects.close();
      };
      server.once("error", reject);
    });
  return attempt(wantedPort).catch((error: unknown) => {
    const isInUse = error instanceof Error && "code" in error && /^(?:EADDRINUSE|EACCES)$/u.test(String(error.code));
    if (wantedPort === 0 || !isInUse) throw error;
    return attempt(0);
  });
}

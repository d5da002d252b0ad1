import { createAdaptorServer } from "@hono/node-server";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Server } from "node:http";
import type { Project } from "../project.ts";
import { createApp, type AppOptions } from "./app.ts";
import { createProjects } from "./projects.ts";

/** What is served, except for what the server makes itself. */
export interface ServeOptions extends Omit<AppOptions, "port" | "token" | "projects"> {
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
  const token = randomBytes(24).toString("base64url");
  const projects = createProjects(options.project, options.demoFirst);
  const port = () => portOf(server);
  const server = createAdaptorServer(createApp({ ...options, projects, token, port }));
  const listenAt = async (at: number) => {
    server.listen(at, HOST);
    await once(server, "listening");
  };
  await listenAt(wantedPort).catch((error: unknown) => {
    const isInUse = error instanceof Error && "code" in error && /^(?:EADDRINUSE|EACCES)$/u.test(String(error.code));
    if (wantedPort === 0 || !isInUse) throw error;
    return listenAt(0);
  });
  return {
    url: `http://${HOST}:${port()}/?token=${token}`,
    token,
    close: async () => {
      const closed = once(server.close(), "close");
      if (server instanceof Server) server.closeAllConnections();
      await closed;
      projects.removeDemo();
    },
  };
}

function portOf(server: ReturnType<typeof createAdaptorServer>): number {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

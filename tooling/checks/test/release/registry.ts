import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Server } from "node:http";
import { join } from "node:path";
import { runServer } from "verdaccio";
import { z } from "zod";

export interface Registry {
  readonly url: string;
  readonly token: string;
  stop(): void;
}

// No uplinks: third-party packages come from the registry that npm is configured with, ours from nowhere else.
const CONFIG = `
storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
packages: { "@fstools/*": { access: $all, publish: $authenticated } }
log: { type: stdout, format: pretty, level: fatal }
web: { enable: false }
`;

export async function startRegistry(folder: string): Promise<Registry> {
  const config = join(folder, "verdaccio.yaml");
  writeFileSync(config, CONFIG);
  const server: unknown = await runServer(config);
  if (!(server instanceof Server)) throw new Error("verdaccio made no server.");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  return {
    url,
    token: await addUser(url),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function addUser(url: string): Promise<string> {
  const response = await fetch(`${url}-/user/org.couchdb.user:releaser`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "releaser", password: "only-on-loopback" }),
  });
  return z.object({ token: z.string() }).parse(await response.json()).token;
}

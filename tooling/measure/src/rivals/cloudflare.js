/* global Response */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { aiSdkTools, hostOf, importFrom, replaceModule } from "./host.ts";

const HOME = "/workspace";

/**
 * Cloudflare's tools over a workspace in SQLite, as in a Durable Object; Node's SQLite stands in for theirs. The project
 * is copied into it, and what a call changes goes back to the disk, where it is looked at.
 */
export async function cloudflare(root) {
  replaceModule("cloudflare:workers", "DurableObject, WorkerEntrypoint, RpcTarget, env, exports");
  const { Workspace } = await importFrom("cloudflare", "@cloudflare/computer");
  const { createAITools } = await importFrom("cloudflare", "@cloudflare/computer/tools/ai-sdk");
  const workspace = new Workspace({ storage: storage() });
  const read = async (path) => {
    await workspace.fs.writeFile(join(HOME, path), readFileSync(join(root, path)));
  };
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = (isWanted) =>
    entries.filter(isWanted).map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  for (const path of paths((entry) => entry.isDirectory())) {
    await workspace.fs.mkdir(join(HOME, path), { recursive: true });
  }
  for (const path of paths((entry) => entry.isFile())) await read(path);
  const tools = await aiSdkTools("cloudflare", createAITools({ workspace }));
  return hostOf(
    tools.map((tool) => ({
      ...tool,
      run: async (params) => {
        const path = String(params.path).slice(HOME.length + 1);
        const isFile = statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
        // Someone else may have changed it.
        if (isFile && (tool.name === "read" || tool.name === "edit")) await read(path);
        const answer = await tool.run(params);
        if (tool.name === "delete") rmSync(join(root, path), { recursive: true, force: true });
        if (tool.name === "write" || tool.name === "edit") {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          const content = new Response(await workspace.fs.readFile(join(HOME, path)));
          writeFileSync(join(root, path), Buffer.from(await content.arrayBuffer()));
        }
        return answer;
      },
    })),
  );
}

function storage() {
  const sqlite = process.getBuiltinModule("node:sqlite");
  if (sqlite === undefined) throw new Error("It needs a Node with SQLite.");
  const database = new sqlite.DatabaseSync(":memory:");
  const statements = new Map();
  return {
    sql: {
      exec: (query, ...bindings) => {
        const statement = statements.get(query) ?? database.prepare(query);
        statements.set(query, statement);
        const values = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
        const rows = statement.all(...values);
        return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
      },
    },
    transactionSync: (work) => {
      database.exec("SAVEPOINT work");
      try {
        return work();
      } catch (error) {
        database.exec("ROLLBACK TO work");
        throw error;
      } finally {
        database.exec("RELEASE work");
      }
    },
  };
}

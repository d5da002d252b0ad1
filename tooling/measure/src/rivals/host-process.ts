import type { Host, OpenHost, Params } from "./host.ts";

/** What the parent sends: a call of a tool. */
export interface CallMessage {
  readonly id: number;
  readonly tool: string;
  readonly params: Params;
}

const [name = "", root = "", second] = process.argv.slice(2);
const { open } = (await import(`./${name}.ts`)) as { open: OpenHost };
let host: Host;
try {
  host = await open(root, second);
} catch (error) {
  process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
process.send?.({ definitions: host.definitions });
process.on("message", ({ id, tool, params }: CallMessage) => {
  const start = performance.now();
  void host.call(tool, params).then((text) => process.send?.({ id, text, elapsedMs: performance.now() - start }));
});
process.on("disconnect", () => {
  host.close?.();
  process.exit();
});

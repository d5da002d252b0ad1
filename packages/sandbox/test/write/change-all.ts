import { createSandbox, type Sandbox } from "../../src/sandbox.ts";
import { createChanger, type CurrentFile, type FileChange } from "../../src/write/changer.ts";
import type { ChangeOptions } from "../../src/write/placer.ts";

const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };

/** What happens to one path of a set: a text is written, undefined deletes, `to` moves. */
export type Wish =
  | { readonly path: string; readonly text: string; readonly executable?: boolean }
  | { readonly path: string }
  | { readonly path: string; readonly to: string; readonly text?: string };

/** Makes a set of changes; `meanwhile` runs when everything is planned. */
export async function changeAll(
  where: string | Sandbox,
  wishes: readonly Wish[],
  { meanwhile, ...options }: ChangeOptions & { readonly meanwhile?: () => void } = {},
) {
  const change = createChanger(typeof where === "string" ? createSandbox({ projectRoot: where }) : where, {
    durable: false,
    ...options,
  });
  const targets = wishes.flatMap((wish) => {
    const own = { path: wish.path, creates: "text" in wish && !("to" in wish) };
    return "to" in wish ? [own, { path: wish.to, creates: true }] : [own];
  });
  return change(
    {
      tool: "Set",
      targets,
      plan: (shown) => {
        const file = (path: string): CurrentFile => {
          const current = shown[targets.findIndex((target) => target.path === path)];
          if (current === undefined || "error" in current) throw current?.error;
          return current;
        };
        const changes = wishes.map((wish): FileChange => {
          const bytes = "text" in wish ? Buffer.from(wish.text) : undefined;
          if ("to" in wish) {
            return { operation: "move", from: file(wish.path), file: file(wish.to), bytes };
          }
          const own = file(wish.path);
          if (!("text" in wish)) return { operation: "delete", file: own };
          const operation = own.file === undefined ? "create" : "update";
          return { operation, file: own, bytes, executable: wish.executable };
        });
        meanwhile?.();
        return Promise.resolve({ operation: "patch" as const, changes, diff: () => Promise.resolve("the diff") });
      },
    },
    call,
  );
}

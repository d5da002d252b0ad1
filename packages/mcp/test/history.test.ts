import { fixture } from "@fstools/testing";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { connect } from "./clients.ts";
import { runServer } from "./launch.ts";

it("keeps what a model changes, and lets people list and undo it", { timeout: 30_000 }, async () => {
  const { path } = fixture({ project: { "a.txt": "one\n", dir: { "b.txt": "b\n" } } });
  const where = ["--root", path("project"), "--history", path("kept")];
  expect((await runServer(["history", ...where])).out).toBe("No changes.\n");
  const client = await connect({ generation: "2025", carrier: "stdio" }, { args: [...where, "--write"] });
  await client.call("Edit", { path: "a.txt", old_string: "one", new_string: "two" });
  await client.call("Move", { from: "dir", to: "moved" });
  await client.close();
  const { out } = await runServer(["history", ...where]);
  expect(out.replaceAll(/^\S+ {2}.{19}/gmu, "ID  TIME")).toBe(
    "ID  TIME  Move\n  R dir -> moved\n\nID  TIME  Edit\n  M a.txt\n",
  );
  expect((await runServer(["history", "moved", "--limit", "1", ...where])).out).toBe(
    out.slice(0, out.indexOf("\n\n") + 1),
  );
  const id = out.split("\n\n")[1]?.split(" ")[0] ?? "";
  const { out: undone, code } = await runServer(["undo", "--since", id, ...where]);
  expect(undone).toContain("Undid 2 changes (2 files).");
  expect(code).toBe(0);
  expect(readFileSync(path("project/a.txt"), "utf8")).toBe("one\n");
  expect(readdirSync(path("project"))).toEqual(["a.txt", "dir"]);
  const again = await runServer(["undo", id, ...where]);
  expect(again).toMatchObject({ code: 1, err: "" });
  expect(again.out).toContain("Changed since then: 'a.txt'.");
});

it("does not start with a history inside a root", async () => {
  const { root, path } = fixture({});
  const { code, err } = await runServer(["--root", root, "--history", path("kept")]);
  expect(code).toBe(2);
  expect(err).toContain("cannot be inside a project");
});

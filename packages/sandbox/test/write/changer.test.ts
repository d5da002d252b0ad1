import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { ToolCall } from "@fstools/protocol";
import { fifo, fixture, link, type Fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox, type SandboxRules } from "../../src/sandbox.ts";
import { createFileVersions } from "../../src/versions.ts";
import type { Confirm } from "../../src/write/approve.ts";
import { createFileChanger } from "../../src/write/changer.ts";
import type { CurrentFile } from "../../src/write/changer.ts";
import type { ChangeOptions } from "../../src/write/placer.ts";

const signal = new AbortController().signal;

function callWith(callSignal = signal): ToolCall & { readonly noted: Record<string, unknown> } {
  const noted: Record<string, unknown> = {};
  return {
    signal: callSignal,
    has: () => true,
    note: (context) => Object.assign(noted, context),
    tell: () => undefined,
    noted,
  };
}

type Rewrite = (old: string, current: CurrentFile) => string | undefined | Promise<string | undefined>;

/** Writes what `rewrite` makes of a file's text. */
function changer(tree: Fixture, options: ChangeOptions & SandboxRules & { readonly creates?: boolean } = {}) {
  const sandbox = createSandbox({ projectRoot: tree.path("root"), ...options });
  const change = createFileChanger(sandbox, { durable: false, ...options });
  return (path: string, rewrite: Rewrite, call = callWith()) =>
    change(
      {
        tool: "Test",
        path,
        creates: options.creates ?? true,
        plan: async (current) => {
          const old = (await current.read()).toString();
          const text = await rewrite(old, current);
          return {
            operation: current.file === undefined ? "create" : "update",
            bytes: text === undefined ? undefined : Buffer.from(text),
            diff: () => Promise.resolve(`-${old}\n+${text ?? ""}`),
          };
        },
      },
      call,
    );
}

const failing = (code: string, message: string | RegExp) => ({
  code,
  message: typeof message === "string" ? message : (expect.stringMatching(message) as string),
});

describe("createFileChanger", () => {
  it("changes a file, reports where it really is, and remembers its version", async () => {
    const tree = fixture({ root: { dir: { "a.txt": "old" }, link: link("dir/a.txt") } });
    const versions = createFileVersions();
    const call = callWith();
    const { path, written } = await changer(tree, { versions })("link", (old) => `${old} and new`, call);
    expect(path.relative).toBe("dir/a.txt");
    expect(call.noted).toEqual({ path_resolved: "dir/a.txt" });
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("old and new");
    expect(readdirSync(tree.path("root"))).toEqual(["dir", "link"]);
    expect(versions.known(path)).toEqual({ version: written?.version, how: "written" });
  });

  it("creates a file and the directories above it", async () => {
    const tree = fixture({ root: { a: {} } });
    const seen: (string | undefined)[] = [];
    const change = changer(tree);
    await change("a/b/c/d.txt", (_, { newDirectory }) => {
      seen.push(newDirectory);
      return "new";
    });
    await change("e.txt", (_, { newDirectory }) => {
      seen.push(newDirectory);
      return "new";
    });
    expect(seen).toEqual(["a/b/c", undefined]);
    expect(readFileSync(tree.path("root/a/b/c/d.txt"), "utf8")).toBe("new");
  });

  it("creates the file that a link inside leads to", async () => {
    const tree = fixture({ root: { dir: {}, link: link("dir/new.txt") } });
    await changer(tree)("link", () => "new");
    expect(readFileSync(tree.path("root/dir/new.txt"), "utf8")).toBe("new");
  });

  it("writes nothing where the plan says so", async () => {
    const tree = fixture({ root: {} });
    const { written } = await changer(tree)("a/b.txt", () => undefined);
    expect(written).toBeUndefined();
    expect(readdirSync(tree.path("root"))).toEqual([]);
  });

  it.each([
    ["../x.txt", "ACCESS_DENIED"],
    ["/etc/x.txt", "ACCESS_DENIED"],
    ["out/x.txt", "ACCESS_DENIED"],
    ["dangling", "ACCESS_DENIED"],
    ["a/../../x", "ACCESS_DENIED"],
    ["missing/../x", "NOT_FOUND"],
    ["file/x", "NOT_FOUND"],
    ["~/x", "NOT_FOUND"],
    ["C:\\x", "NOT_FOUND"],
    ["file:///x", "NOT_FOUND"],
    ["src\\x", "NOT_FOUND"],
    ["dir", "IS_DIRECTORY"],
    [".", "IS_DIRECTORY"],
    ["new/", "IS_DIRECTORY"],
    ["new/.", "IS_DIRECTORY"],
    ["pipe", "INVALID_PARAM"],
    ["a\0b", "INVALID_PARAM"],
    ["x".repeat(300), "INVALID_PARAM"],
    [`new/${"x".repeat(300)}`, "INVALID_PARAM"],
    ["secret.pem", "ACCESS_DENIED"],
    ["new/secret.pem", "ACCESS_DENIED"],
    [".git/config", "ACCESS_DENIED"],
    [".GIT/config", "ACCESS_DENIED"],
    [".git/new/x", "ACCESS_DENIED"],
    ["tool-output/x", "ACCESS_DENIED"],
    ["tool-output/new/x", "ACCESS_DENIED"],
    ["git-link/config", "ACCESS_DENIED"],
  ])("refuses %j with %s, and leaves no trace", async (path, code) => {
    const tree = fixture({
      root: {
        dir: {},
        file: "",
        pipe: fifo(),
        out: link("../outside"),
        dangling: link("../outside/new"),
        ".git": { config: "" },
        "git-link": link(".git"),
        "tool-output": {},
      },
      outside: {},
    });
    const names = readdirSync(tree.path("root"));
    await expect(changer(tree, { deny: ["**/*.pem"] })(path, () => "new")).rejects.toMatchObject({ code });
    expect(readdirSync(tree.path("root"))).toEqual(names);
    expect(readdirSync(tree.path("outside"))).toEqual([]);
    expect(readdirSync(tree.path("root/.git"))).toEqual(["config"]);
  });

  it("protects what the host says instead of .git", async () => {
    const tree = fixture({ root: { ".git": {} } });
    const change = changer(tree, { protect: ["**/*.lock"] });
    await change(".git/x", () => "new");
    await expect(change("a/b.lock", () => "new")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(change("tool-output/x", () => "new")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(() => changer(tree, { protect: ["["] })).toThrow(TypeError);
  });

  it("reports a missing file only if it may not create one", async () => {
    const tree = fixture({ root: { "config.ts": "" } });
    await expect(changer(tree, { creates: false })("confg.ts", () => "x")).rejects.toMatchObject({
      code: "NOT_FOUND",
      suggestions: ["config.ts"],
    });
  });

  it("makes the calls of one process on one file wait for each other", async () => {
    const tree = fixture({ root: { "a.txt": "", link: link("a.txt") } });
    const [one, other] = [changer(tree), changer(tree)];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other)(index % 3 === 0 ? "link" : "a.txt", async (old) => {
          await new Promise(setImmediate);
          return `${old}${index}\n`;
        }),
      ),
    );
    const lines = readFileSync(tree.path("root/a.txt"), "utf8").trimEnd().split("\n").map(Number);
    expect(lines).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it("does not let an aborted call hold up the next one", async () => {
    const tree = fixture({ root: { "a.txt": "" } });
    const change = changer(tree);
    let go: () => void = () => undefined;
    const first = change("a.txt", async () => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return "first";
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const second = change("a.txt", () => "second", callWith(controller.signal));
    const third = change("a.txt", (old) => `${old} third`);
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    go();
    await Promise.all([first, third]);
    expect(readFileSync(tree.path("root/a.txt"), "utf8")).toBe("first third");
  });

  it.each<[string, (path: string) => void, string]>([
    [
      "changed",
      (path) => {
        writeFileSync(path, "theirs");
      },
      "'dir/a.txt' has been modified since it was read.",
    ],
    [
      "removed",
      (path) => {
        rmSync(path);
      },
      "'dir/a.txt' has been modified since it was read.",
    ],
  ])("does not replace a file that was %s while the plan was made", async (_, interfere, message) => {
    const tree = fixture({ root: { dir: { "a.txt": "old" } } });
    const path = tree.path("root/dir/a.txt");
    const changing = changer(tree)("dir/a.txt", () => {
      interfere(path);
      return "mine";
    });
    await expect(changing).rejects.toMatchObject(failing("CONFLICT", message));
    expect(existsSync(path) ? readFileSync(path, "utf8") : "theirs").toBe("theirs");
  });

  it("does not replace a file that was created while the plan was made", async () => {
    const tree = fixture({ root: {} });
    const changing = changer(tree)("dir/a.txt", () => {
      mkdirSync(tree.path("root/dir"));
      writeFileSync(tree.path("root/dir/a.txt"), "theirs");
      return "mine";
    });
    await expect(changing).rejects.toMatchObject(failing("CONFLICT", "'dir/a.txt' exists and was not read."));
    expect(readFileSync(tree.path("root/dir/a.txt"), "utf8")).toBe("theirs");
  });

  it("removes the directories that it made for a file that it could not write", async () => {
    const tree = fixture({ root: {} });
    const change = changer(tree)(`a/b/${"x".repeat(260)}`, () => "new");
    await expect(change).rejects.toMatchObject({ code: "INVALID_PARAM" });
    expect(readdirSync(tree.path("root"))).toEqual([]);
  });
});

describe("confirm", () => {
  it("is asked last, with the whole change", async () => {
    const tree = fixture({ root: { "a.txt": "old" } });
    const asked: unknown[] = [];
    const confirm: Confirm = (change, { signal: given }) => {
      asked.push(change);
      expect(given).toBe(signal);
      expect(readFileSync(tree.path("root/a.txt"), "utf8")).toBe("old");
      return true;
    };
    const change = changer(tree, { confirm });
    await change("a.txt", () => "new");
    expect(asked).toEqual([{ tool: "Test", path: "a.txt", operation: "update", diff: "-old\n+new" }]);
    expect(readFileSync(tree.path("root/a.txt"), "utf8")).toBe("new");
    await change("a.txt", () => undefined);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ["false", () => false],
    ["a truthy value that is not true", () => "yes"],
    ["a promise of nothing", () => Promise.resolve(undefined)],
    [
      "an exception",
      () => {
        throw new Error("no answer");
      },
    ],
    ["a rejection", () => Promise.reject(new Error("no answer"))],
  ])("takes %s for a refusal", async (_, answer) => {
    const tree = fixture({ root: { "a.txt": "old" } });
    const changing = changer(tree, { confirm: answer as Confirm })("a.txt", () => "new");
    await expect(changing).rejects.toMatchObject(failing("ACCESS_DENIED", "The user declined the change to 'a.txt'."));
    expect(readFileSync(tree.path("root/a.txt"), "utf8")).toBe("old");
  });

  it("lets other calls on the file go on, and then finds that it changed", async () => {
    const tree = fixture({ root: { "a.txt": "old" } });
    const versions = createFileVersions();
    const confirm: Confirm = async () => {
      await changer(tree, { versions })("a.txt", () => "other");
      return true;
    };
    const changing = changer(tree, { confirm, versions })("a.txt", () => "mine");
    await expect(changing).rejects.toMatchObject(failing("CONFLICT", "'a.txt' has been modified since it was read."));
    expect(readFileSync(tree.path("root/a.txt"), "utf8")).toBe("other");
  });

  it.each<[string, (tree: Fixture) => void]>([
    [
      "the directory was swapped for a link to another one inside",
      ({ path }) => {
        renameSync(path("root/dir"), path("root/moved"));
        symlinkSync("moved", path("root/dir"));
      },
    ],
    [
      "the directory was swapped for a link to outside",
      ({ path }) => {
        renameSync(path("root/dir"), path("root/moved"));
        symlinkSync("../outside", path("root/dir"));
      },
    ],
    [
      "the directory was removed",
      ({ path }) => {
        rmSync(path("root/dir"), { recursive: true });
      },
    ],
    [
      "the file was removed",
      ({ path }) => {
        rmSync(path("root/dir/a.txt"));
      },
    ],
  ])("finds a conflict where %s meanwhile", async (_, interfere) => {
    const tree = fixture({ root: { dir: { "a.txt": "old" } }, outside: { "a.txt": "SECRET" } });
    const confirm: Confirm = () => {
      interfere(tree);
      return true;
    };
    await expect(changer(tree, { confirm })("dir/a.txt", () => "mine")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(readFileSync(tree.path("outside/a.txt"), "utf8")).toBe("SECRET");
  });

  it.each<[string, string, (tree: Fixture) => void]>([
    [
      "the directory was replaced",
      "'dir/new.txt' has been modified since it was read.",
      ({ path }) => {
        renameSync(path("root/dir"), path("root/moved"));
        mkdirSync(path("root/dir"));
      },
    ],
    [
      "the directory vanished",
      "'dir/new.txt' has been modified since it was read.",
      ({ path }) => {
        rmSync(path("root/dir"), { recursive: true });
      },
    ],
    [
      "someone else created the file",
      "'dir/new.txt' exists and was not read.",
      ({ path }) => {
        writeFileSync(path("root/dir/new.txt"), "theirs");
      },
    ],
  ])("does not create a file where %s meanwhile", async (_, message, interfere) => {
    const tree = fixture({ root: { dir: {} } });
    const confirm: Confirm = () => {
      interfere(tree);
      return true;
    };
    const changing = changer(tree, { confirm })("dir/new.txt", () => "mine");
    await expect(changing).rejects.toMatchObject(failing("CONFLICT", message));
    const file = tree.path("root/dir/new.txt");
    expect(existsSync(file) ? readFileSync(file, "utf8") : "theirs").toBe("theirs");
  });

  it("creates two files in one new directory, both asked about before it was there", async () => {
    const tree = fixture({ root: {} });
    const asked: (() => void)[] = [];
    const confirm: Confirm = () =>
      new Promise((resolve) => {
        asked.push(() => {
          resolve(true);
        });
        if (asked.length === 2) for (const answer of asked) answer();
      });
    const change = changer(tree, { confirm });
    await Promise.all([change("new/a.txt", () => "a"), change("new/b.txt", () => "b")]);
    expect(readdirSync(tree.path("root/new"))).toEqual(["a.txt", "b.txt"]);
  });

  it("stops waiting when the call is aborted, and writes nothing", async () => {
    const tree = fixture({ root: { "a.txt": "old" } });
    const controller = new AbortController();
    const reason = new Error("enough");
    const confirm: Confirm = () => {
      controller.abort(reason);
      return new Promise<boolean>(() => undefined);
    };
    const changing = changer(tree, { confirm })("a.txt", () => "new", callWith(controller.signal));
    await expect(changing).rejects.toBe(reason);
    expect(readFileSync(tree.path("root/a.txt"), "utf8")).toBe("old");
  });
});

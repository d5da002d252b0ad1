import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { fixture, link, type Fixture } from "@fstools/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBoundary, type Boundary } from "../../src/disk/boundary.ts";
import { relativeInside } from "../../src/names/safe-path.ts";
import { follow } from "../../src/resolve/follow.ts";

const RUNS = { numRuns: 5000 };
const NAMES = ["src", "a.ts", "deep", "b", "c.txt", "[...slug]", "..name", "ümlaut", "日本", "😀", "nothing", "~"];
const LINKS = ["in", "up", "out", "chain", "loop", "gone", "abs", "abs-out", "via", "self", "given"];
const ODD = ["", ".", "..", "...", "\0", "\ud800", "a\\b", " ", "x".repeat(256), "..\\", "%2e%2e", "\u202e"];

let tree: Fixture;
let boundary: Boundary;

/** A project in `base/project`, also reachable as `base/link`, beside things that no path may reach. */
beforeAll(() => {
  tree = fixture({
    outside: { "secret.txt": "secret", src: { "a.ts": "" } },
    "project-evil": { "a.ts": "" },
    project: {},
  });
  symlinkSync("project", tree.path("link"));
  mkdirSync(tree.path("project/src/deep/b"), { recursive: true });
  tree.write({
    project: {
      src: { "a.ts": "", deep: { b: { "c.txt": "", up: link("../../.."), out: link("../../../../outside") } } },
      "[...slug]": { "a.ts": "" },
      "..name": "",
      ümlaut: { 日本: { "😀": "" } },
      in: link("src/deep"),
      up: link(".."),
      out: link("../outside/secret.txt"),
      chain: link("in/b/up/in/b"),
      loop: link("loop"),
      gone: link("src/nothing"),
      abs: link(tree.path("project/src")),
      "abs-out": link(tree.path("outside/nothing")),
      via: link("../project/src/a.ts"),
      self: link("."),
      given: link(tree.path("link/src/deep")),
    },
  });
  boundary = createBoundary({ projectRoot: tree.path("link") });
});

afterAll(() => {
  tree.cleanup();
});

function rootPath(): string {
  return boundary.paths.absolute(".");
}

function input(): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 5, arbitrary: fc.constantFrom(...LINKS) },
    { weight: 3, arbitrary: fc.constantFrom("..", ".") },
    { weight: 1, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constantFrom("project", "link", "outside", "project-evil", "etc") },
  );
  const starts = [
    "",
    "",
    "",
    "/",
    tree.root + "/",
    tree.path("project") + "/",
    tree.path("link") + "/",
    "/proc/self/root/",
  ];
  return fc
    .tuple(fc.constantFrom(...starts), fc.array(segment, { maxLength: 10 }))
    .map(([start, segments]) => start + segments.join("/"));
}

/** What the system makes of it, or undefined. A slash or dot after a file's name is forgiven, as by most programs. */
function systemPath(from: string, path: string): string | undefined {
  const forgiven = path.replace(/(?:\/+\.?)+$/u, "") || path;
  try {
    return realpathSync.native(forgiven.startsWith("/") ? forgiven : `${rootPath()}/${from}/${forgiven}`);
  } catch {
    return undefined;
  }
}

describe("follow", () => {
  // Rule: No string resolves outside the root.
  it("never leads outside, whatever the input", () => {
    fc.assert(
      fc.property(input(), fc.constantFrom(".", "src", "src/deep/b"), (path, from) => {
        const end = follow(boundary, from, path);
        if (!("found" in end)) return;
        const absolute = end.found === "." ? rootPath() : `${rootPath()}/${end.found}`;
        expect(relativeInside(rootPath(), absolute)).toBe(end.found);
        expect(realpathSync.native(absolute)).toBe(absolute);
      }),
      RUNS,
    );
  });

  // Rule: Resolution agrees with the system's inside the root.
  it("leads where the system leads, as long as that is inside", () => {
    let inside = 0;
    fc.assert(
      fc.property(input(), fc.constantFrom(".", "src", "src/deep/b"), (path, from) => {
        fc.pre(!path.includes("\0"));
        const real = systemPath(from, path);
        const relative = real === undefined ? undefined : relativeInside(rootPath(), real);
        const end = follow(boundary, from, path);
        // Only a path through the outside can resolve for the system and not here: `link` is the root's own, `out` leads out.
        const isDetour = path.startsWith("/proc") || /(?:^|\/)(?:link|out)(?:\/|$)/u.test(path);
        if (!isDetour || "found" in end) expect("found" in end ? end.found : undefined).toBe(relative);
        if (relative !== undefined) inside += 1;
      }),
      RUNS,
    );
    expect(inside).toBeGreaterThan(200);
  });

  it("never leads outside for strings of any kind", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (path) => {
        const end = follow(boundary, ".", path);
        if ("found" in end) expect(realpathSync.native(`${rootPath()}/${end.found}`)).toContain(rootPath());
      }),
      RUNS,
    );
  });

  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//deep/./b/", "src/deep/b"],
    ["src/a.ts/", "src/a.ts"],
    ["in/../a.ts", "src/a.ts"],
    ["chain/c.txt", "src/deep/b/c.txt"],
    ["self/self/src", "src"],
    ["abs/a.ts", "src/a.ts"],
    ["given/b", "src/deep/b"],
    ["via", "src/a.ts"],
    ["../project/src", "src"],
    ["up/project/src", "src"],
    ["..name", "..name"],
    ["[...slug]/a.ts", "[...slug]/a.ts"],
    ["", "."],
    [".", "."],
    ["src/..", "."],
  ])("follows %j to %s", (path, found) => {
    expect(follow(boundary, ".", path)).toMatchObject({ found });
  });

  it.each([
    ["nothing", ".", ["nothing"]],
    ["src/nothing/x/y", "src", ["nothing", "x", "y"]],
    ["nothing/../src", ".", ["nothing", "..", "src"]],
    ["gone", "src", ["nothing"]],
    ["in/b/nothing", "src/deep/b", ["nothing"]],
  ])("says where %j ends", (path, nearest, absent) => {
    expect(follow(boundary, ".", path)).toMatchObject({ stopped: "missing", nearest, absent });
  });

  it.each(["src/a.ts/x", "src/a.ts/..", "via/x"])("does not treat a file as a directory: %s", (path) => {
    expect(follow(boundary, ".", path)).toMatchObject({ stopped: "missing", nearest: "src", file: "src/a.ts" });
  });

  it("follows 40 links, and not 41", () => {
    const { root, write } = fixture({ end: "" });
    write(
      Object.fromEntries(
        Array.from({ length: 41 }, (_, index) => [`l${index + 1}`, link(index === 0 ? "end" : `l${index}`)]),
      ),
    );
    const links = createBoundary({ projectRoot: root });
    expect(follow(links, ".", "l40")).toMatchObject({ found: "end" });
    expect(follow(links, ".", "l41")).toMatchObject({
      stopped: "invalid_name",
      osError: "ELOOP: too many symbolic links encountered",
    });
  });

  it("stops at links that would take forever", () => {
    const { root, write } = fixture({ d: {} });
    write(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`l${index}`, link("d/../".repeat(800) + `l${index + 1}`)]),
      ),
    );
    const boundaryOfLinks = createBoundary({ projectRoot: root });
    // Followed to the end, they lead to a missing name.
    expect(follow(boundaryOfLinks, ".", "l0")).toMatchObject({ stopped: "invalid_name" });
  });

  // Rule: Nothing outside is looked at while resolving.
  it("looks at nothing outside", () => {
    const sandboxed = (path: string) => ({ ...follow(boundary, ".", path), followed: undefined });
    for (const [existing, missing] of [
      ["../outside/secret.txt", "../outside/nothing"],
      ["out", "abs-out"],
      [tree.path("outside/secret.txt"), tree.path("outside/nothing")],
      ["up/outside/src/a.ts", "up/outside/nothing/a.ts"],
      ["../project-evil/a.ts", "../project-evil"],
      ["../outside/../project/src", "../nothing/../project/src"],
      ["/etc/passwd/x", "/etc/nothing/x"],
    ] as const) {
      expect(sandboxed(existing)).toMatchObject({ stopped: "outside", nearest: "." });
      expect(sandboxed(missing)).toEqual(sandboxed(existing));
    }
  });
});

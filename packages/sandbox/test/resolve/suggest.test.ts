import { renameSync, symlinkSync } from "node:fs";
import { asNobody, fixture, link, makeLargeDirectory } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { closestNames, suggest } from "../../src/resolve/suggest.ts";
import { restrict } from "../restrict.ts";

// Rule: Suggestions: containing first, then the same stem, then a typo; at most three.
describe("closestNames", () => {
  it.each<[string, string[], string[]]>([
    ["config.ts", ["config.json", "config.js", "config.tsx", "other.ts"], ["config.tsx", "config.js", "config.json"]],
    ["README.MD", ["readme.md", "src"], ["readme.md"]],
    ["user", ["users.ts", "user-list.ts", "a"], ["users.ts", "user-list.ts"]],
    ["index.test.ts", ["index", "main.ts"], ["index"]],
    ["mian.py", ["main.py", "setup.py"], ["main.py"]],
    ["scr", ["src", "lib"], ["src"]],
    ["ab", ["xy"], []],
    ["nothing-like-it", ["a.ts", "b.ts"], []],
    ["bad\uFFFD", ["bad\uFFFD", "bad"], ["bad"]],
    ["x.ts", ["x1.ts", "x2.ts", "x3.ts", "x4.ts"], ["x1.ts", "x2.ts", "x3.ts"]],
  ])("for %s among %j: %j", (wanted, names, expected) => {
    expect(closestNames(wanted, names)).toEqual(expected);
  });

  it("puts containing before the same stem before a typo", () => {
    expect(closestNames("app.ts", ["apq.ts", "app.css", "my-app.ts"])).toEqual(["my-app.ts", "app.css", "apq.ts"]);
  });

  it("stops comparing after a fixed amount of work, counted in letters", () => {
    const others = (count: number) => Array.from({ length: count }, () => "x".repeat(200));
    const [wanted, typo] = ["y".repeat(100), "y".repeat(99) + "z"];
    expect(closestNames(wanted, [...others(99), typo])).toEqual([typo]);
    expect(closestNames(wanted, [...others(100), typo])).toEqual([]);
  });
});

describe("suggest", () => {
  it("names paths from the project root", () => {
    const boundary = createBoundary({ projectRoot: fixture({ src: { lib: { "config.tsx": "" } } }).root });
    expect(suggest(boundary, "src/lib", ["config.ts"])).toEqual(["src/lib/config.tsx"]);
  });

  it("corrects a directory on the way and keeps the rest if that exists", () => {
    const boundary = createBoundary({ projectRoot: fixture({ src: { "a.ts": "" }, "scr.txt": "", lib: {} }).root });
    expect(suggest(boundary, ".", ["scr", "a.ts"])).toEqual(["src/a.ts"]);
    expect(suggest(boundary, ".", ["scr", "nothing.ts"])).toEqual(["src"]);
  });

  // Rule: Suggestions: nothing denied, nothing outside.
  it("suggests nothing denied and nothing outside", () => {
    const { path } = fixture({
      root: { "secret.txt": "", dir: { x: "" }, out: link("../outside") },
      outside: { "secret.txt": "" },
    });
    const boundary = createBoundary({ projectRoot: path("root"), deny: ["secret.txt"] });
    expect(suggest(boundary, ".", ["secret.tx"])).toEqual([]);
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    expect(suggest(boundary, "dir", ["secret.tx"])).toEqual([]);
    expect(suggest(boundary, ".", ["ou", "secret.txt"])).toEqual(["out"]);
  });

  it("has nothing to suggest from a directory that it may not list", async () => {
    const { root, path } = fixture({ closed: { "a.txt": "" } });
    restrict(path("closed"), 0o311);
    const boundary = createBoundary({ projectRoot: root });
    expect(await asNobody(() => suggest(boundary, "closed", ["a.tx"]))).toEqual([]);
  });

  it("looks at only some of the names of a giant directory", () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("large"), 30_000);
    const boundary = createBoundary({ projectRoot: root });
    const typo = (index: number) => `f${String(index).padStart(5, "0")}x`;
    const found = Array.from({ length: 60 }, (_, index) => suggest(boundary, "large", [typo(index * 500)]));
    // Of all names, some 4,000 in 30,000 are looked at; which ones is up to the disk.
    const hits = found.filter((names, index) => names.includes(`large/${typo(index * 500).slice(0, -1)}`));
    expect(hits.length).toBeLessThan(30);
    expect(suggest(boundary, "large", ["f0"])).toHaveLength(3);
  });
});

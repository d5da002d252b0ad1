import { fixture } from "@fstools/testing";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writeModeOf } from "../src/write-mode.ts";

function repository() {
  const project = fixture({ "a.txt": "one\n" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: project.root, stdio: "pipe" });
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  return { ...project, git };
}

describe("writeModeOf", () => {
  it("allows changes in a clean work tree", () => {
    expect(writeModeOf(repository().root, "unsaid")).toMatchObject({ writable: true });
  });

  it("allows none where an edit would mix with other changes, or with a new file", () => {
    const changed = repository();
    changed.write({ "a.txt": "two\n" });
    expect(writeModeOf(changed.root, "unsaid")).toMatchObject({ writable: false });
    const added = repository();
    added.write({ "b.txt": "new\n" });
    expect(writeModeOf(added.root, "unsaid").reason).toContain("uncommitted changes");
  });

  it("allows none outside a work tree", () => {
    expect(writeModeOf(fixture({}).root, "unsaid").reason).toContain("not a git work tree");
  });

  it("does as the user says", () => {
    expect(writeModeOf(fixture({}).root, "write").writable).toBe(true);
    expect(writeModeOf(repository().root, "read-only").writable).toBe(false);
  });

  it("runs no program that the repository names", () => {
    const { root, git, path } = repository();
    git("config", "core.fsmonitor", `touch ${path("ran")};`);
    writeModeOf(root, "unsaid");
    expect(existsSync(path("ran"))).toBe(false);
  });
});

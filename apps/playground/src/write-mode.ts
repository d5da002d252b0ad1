import { execFileSync } from "node:child_process";

/** Whether files of a project may be changed, and why (not). */
export interface WriteMode {
  readonly writable: boolean;
  readonly reason: string;
}

/** The user's own word for it. */
export type WriteChoice = "write" | "read-only" | "unsaid";

/** Decides whether Edit and Write are offered: as the user says, else only where git can undo every change. */
export function writeModeOf(root: string, choice: WriteChoice): WriteMode {
  if (choice === "write") return { writable: true, reason: "--write was given." };
  if (choice === "read-only") return { writable: false, reason: "--read-only was given." };
  const changes = uncommittedChanges(root);
  if (changes === undefined) {
    return {
      writable: false,
      reason: "It is not a git work tree, so changes could not be undone. --write allows them.",
    };
  }
  if (changes !== "") {
    return { writable: false, reason: "It has uncommitted changes that an edit could mix with. --write allows edits." };
  }
  return { writable: true, reason: "It is a clean git work tree, so every change can be undone." };
}

/** What `git status` lists, or undefined where there is no work tree or no git. */
function uncommittedChanges(root: string): string | undefined {
  // A repository's own settings can name programs to run; none of them is wanted here.
  const quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  try {
    return execFileSync("git", [...quiet, "-C", root, "status", "--porcelain", "--", "."], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    });
  } catch {
    return undefined;
  }
}

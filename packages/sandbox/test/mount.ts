import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";

/**
 * Runs a shell script that mounts a file system at `at`, for the running test; false where that is not allowed.
 * The script finds `at` in `$1`.
 */
export function mountForTest(at: string, script: string): boolean {
  try {
    execFileSync("sh", ["-ec", script, "mount", at], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync("sh", ["-c", 'umount "$1"', "umount", at]);
  });
  return true;
}

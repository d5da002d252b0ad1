import { chmodSync } from "node:fs";
import { onTestFinished } from "vitest";

/** Changes permissions for the running test; they are widened again before its files are removed. */
export function restrict(path: string, mode: number): void {
  chmodSync(path, mode);
  onTestFinished(() => {
    chmodSync(path, 0o755);
  });
}

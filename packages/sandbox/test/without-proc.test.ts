import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fixture, NODE_OPTIONS } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../src/index.ts";

const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));

/** Runs code as a process that has no /proc; undefined where that is not allowed. */
function withoutProc(code: string): string | undefined {
  const node = [process.execPath, ...NODE_OPTIONS, "--input-type=module", "-e", code];
  try {
    execFileSync("unshare", ["-m", "umount", "-l", "/proc"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return execFileSync("unshare", ["-m", "sh", "-ec", 'umount -l /proc; exec "$@"', "sh", ...node], {
    encoding: "utf8",
  });
}

describe("verification", () => {
  it.runIf(process.platform === "linux")("is by descriptor on Linux", () => {
    const sandbox = createSandbox({ projectRoot: fixture().root, requireVerified: true });
    expect(sandbox.verification).toBe("descriptor");
  });

  it("is by path without /proc, which a host can refuse", ({ skip }) => {
    const options = JSON.stringify({ projectRoot: fixture().root });
    const printed = withoutProc(`
      import { createSandbox } from ${JSON.stringify(index)};
      console.log(createSandbox(${options}).verification);
      try {
        createSandbox({ ...${options}, requireVerified: true });
      } catch (error) {
        console.log(error.message);
      }`);
    if (printed === undefined) return skip("needs root, to unmount /proc in a namespace of its own");
    expect(printed).toBe(
      "path\nrequireVerified: this system does not tell where a descriptor leads (it has no usable /proc/self/fd).\n",
    );
  });
});

import { z } from "@fstools/protocol";

const mustBe = (name: string, type: string) => ({ error: `${name} must be ${type}.` });
const version = (name: string) => z.int(mustBe(name, "a whole number")).min(0, mustBe(name, "a whole number"));

/** The parameters that all tools that change a file share. */
export function changeParams() {
  return {
    dry_run: z.boolean(mustBe("dry_run", "a boolean")).default(false).describe("Only show the diff."),
    expected_mtime_ms: version("expected_mtime_ms").optional(),
    expected_size_bytes: version("expected_size_bytes").optional(),
  };
}

/** Those of them that are for hosts, not for models. */
export const HOST_PARAMS = ["expected_mtime_ms", "expected_size_bytes"] as const;

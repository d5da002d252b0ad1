import fc from "fast-check";
import { parentOf } from "../../src/names/safe-path.ts";
import { expect, it } from "vitest";
import { createDenyRules, createSecretRules, SECRET_FILES } from "../../src/rules/deny-rules.ts";

it("means by the list what deny means by it", () => {
  const [byList, secret] = [createDenyRules(SECRET_FILES), createSecretRules()];
  const words = SECRET_FILES.flatMap((glob) => glob.split(/[*{},!()|/]+/u)).filter((word) => word !== "");
  const part = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, fc.constantFrom("a", ".", "_", "\u00ad"));
  const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  fc.assert(
    fc.property(path, (relative) => {
      fc.pre(!relative.split("/").some((segment) => segment === "." || segment === ".."));
      expect(secret.names(...parentOf(relative))).toBe(byList.names(...parentOf(relative)));
    }),
    { numRuns: 2000 },
  );
});

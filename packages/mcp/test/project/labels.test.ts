import { describe, expect, it } from "vitest";
import { below, holds, labelRoots } from "../../src/project/labels.ts";

describe("labelRoots", () => {
  it("names roots after their directories, each differently", () => {
    const roots = ["/srv/app", "/other/app/", "/srv/app-2", "/third/app", "/"].map((spelled) => ({
      spelled,
      real: spelled,
    }));
    expect(labelRoots(roots).map(({ label }) => label)).toEqual(["app", "app-2", "app-2-2", "app-3", "root"]);
  });
});

describe("holds and below", () => {
  it.each([
    ["/srv/app", "/srv/app/src", true, "src"],
    ["/srv/app/", "/srv/app", true, "."],
    ["/srv/app", "/srv/app-old/src", false, undefined],
    ["/", "/etc/passwd", true, "etc/passwd"],
    ["C:\\work", "C:\\work\\src", true, "src"],
    ["/srv/app", "src", false, undefined],
  ])("%s and %s", (directory, path, expected, rest) => {
    expect(holds(directory, path)).toBe(expected);
    if (rest !== undefined) expect(below(directory, path)).toBe(rest);
  });
});

import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox, sandboxOf } from "../../src/index.ts";

describe("sandboxOf", () => {
  it("makes a sandbox from a project root and its rules", async () => {
    const { root } = fixture({ src: { "a.txt": "" }, "secret.pem": "" });
    const sandbox = sandboxOf({ projectRoot: root, workingDir: "src", deny: ["*.pem"] });
    expect(sandbox.cwd.relative).toBe("src");
    await expect(sandbox.resolve("secret.pem")).rejects.toMatchObject({ reason: "denied" });
  });

  it("takes an existing one, so that tools can share it", () => {
    const sandbox = createSandbox({ projectRoot: fixture({}).root });
    expect(sandboxOf({ sandbox })).toBe(sandbox);
  });

  it("refuses what only looks like one", () => {
    const sandbox = { ...createSandbox({ projectRoot: fixture({}).root }) };
    expect(() => sandboxOf({ sandbox })).toThrow("Expected a sandbox made by createSandbox.");
  });

  it("knows the absolute path of the project root as the host spelled it", () => {
    const { path } = fixture({ real: {}, lnk: link("real") });
    const [root] = createSandbox({ projectRoot: path("real/../lnk/.") }).roots;
    expect(root?.spellings).toEqual([path("lnk"), path("real")]);
  });
});

import { describe, expect, it } from "vitest";
import { GLOB_IGNORED_NAMES, LS_IGNORED_NAMES } from "../../src/names/ignored-names.ts";

describe("ignored names", () => {
  it("are the 13 of LS", () => {
    expect([...LS_IGNORED_NAMES].join(" ")).toBe(
      ".git .hg .svn __pycache__ node_modules target build dist .idea .vscode .DS_Store venv .venv",
    );
    expect(LS_IGNORED_NAMES.size).toBe(13);
  });

  it("are the 19 of Glob, LS's first", () => {
    expect([...GLOB_IGNORED_NAMES].slice(0, 13)).toEqual([...LS_IGNORED_NAMES]);
    expect([...GLOB_IGNORED_NAMES].slice(13).join(" ")).toBe(
      ".mypy_cache .pytest_cache .ruff_cache .tox .cache site-packages",
    );
  });
});

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { attacks, background } from "../src/attacks/index.ts";
import { mutate, mutations } from "../src/mutants.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

describe("mutations", () => {
  it.each(mutations)("$name still fits the code", (mutation) => {
    const copy = mkdtempSync(join(tmpdir(), "fstools-mutation-"));
    onTestFinished(() => {
      rmSync(copy, { recursive: true });
    });
    for (const { file: name } of mutation.edits) {
      const file = join("packages", name);
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(repository, file), join(copy, file));
    }
    mutate(copy, mutation);
    for (const { file: name } of mutation.edits) {
      const file = join("packages", name);
      expect(readFileSync(join(copy, file), "utf8")).not.toBe(readFileSync(join(repository, file), "utf8"));
    }
  });

  it("each name an attack that exists", () => {
    const names = [...attacks, background].map(({ name }) => name);
    expect(mutations.map(({ attack }) => attack).filter((attack) => !names.includes(attack))).toEqual([]);
  });
});

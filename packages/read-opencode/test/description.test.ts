import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { description } from "../src/description.ts";

const packageUrl = new URL("../", import.meta.url);

describe("description", () => {
  it("is the text of description.txt", () => {
    expect(description).toBe(readFileSync(new URL("src/description.txt", packageUrl), "utf8"));
  });

  it("ships as text, too", () => {
    const manifest = readFileSync(new URL("package.json", packageUrl), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({
      files: expect.arrayContaining(["src/description.txt"]) as unknown,
      exports: { "./description.txt": "./src/description.txt" },
      publishConfig: { exports: { "./description.txt": "./src/description.txt" } },
    });
  });

  it.each(["filePath", "offset", "limit", "2000", "50 KB", "slash", "U+FFFD", "attachments"])(
    "tells about %s",
    (word) => {
      expect(description).toContain(word);
    },
  );
});

import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { asNobody, fifo, fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/path/boundary.ts";
import { createConfirmer, type Confirmer } from "../../src/search/confirm.ts";
import { restrict } from "../restrict.ts";

function bytes(directory: string, ...tail: number[]): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/bad-`), Buffer.from(tail)]);
}

describe.each([
  ["through /proc", true],
  ["by path", false],
])("createConfirmer %s", (_, usesProc) => {
  function confirmerAt(root: string, deny?: string[]): Confirmer {
    return createConfirmer(createBoundary(root, deny, usesProc));
  }

  it("tells what is there from what is not", () => {
    const { path } = fixture({
      root: {
        "a.ts": "",
        pipe: fifo(),
        dir: { "b.ts": "" },
        "to-file": link("a.ts"),
        "to-dir": link("dir"),
        "to-nothing": link("nothing"),
        "to-outside": link("../outside"),
        "to-denied": link("secret"),
        loop: link("loop"),
        secret: {},
      },
      outside: {},
    });
    const { confirm, close } = confirmerAt(path("root"), ["secret", "dir/b.ts"]);
    // The first few by asking, the rest by listing; the second time all by listing.
    for (let round = 1; round <= 2; round += 1) {
      for (const name of ["a.ts", "pipe", "to-file", "to-nothing", "to-outside", "to-denied", "loop"]) {
        expect([name, confirm(".", name)]).toEqual([name, "present"]);
      }
      for (const name of ["dir", "to-dir", "secret", "nothing", "..", "bad-\ufffd"]) {
        expect([name, confirm(".", name)]).toEqual([name, "gone"]);
      }
    }
    expect(confirm("dir", "b.ts")).toBe("gone");
    expect(confirm("missing", "x")).toBe("gone");
    expect(confirm("a.ts", "x")).toBe("gone");
    close();
  });

  it("knows a name that is not UTF-8 only if the directory lists it", () => {
    const { root } = fixture();
    writeFileSync(bytes(root, 0xff), "");
    const { confirm, close } = confirmerAt(root);
    expect(confirm(".", "bad-\ufffd")).toBe("unnameable");
    expect(confirm(".", "other-\ufffd")).toBe("gone");
    close();
  });

  it("takes the listing's word where single entries cannot be asked about", async () => {
    const { root, path } = fixture({ dir: { "a.ts": "" } });
    restrict(path("dir"), 0o444);
    const { confirm, close } = confirmerAt(root);
    await asNobody(() => {
      expect(confirm("dir", "a.ts")).toBe("present");
      expect(confirm("dir", "b.ts")).toBe("gone");
      close();
    });
  });

  it("knows nothing of a directory that it may enter but not read", async () => {
    const { root, path } = fixture({ dir: { "a.ts": "" } });
    restrict(path("dir"), 0o311);
    const { confirm, close } = confirmerAt(root);
    await asNobody(() => {
      expect(confirm("dir", "a.ts")).toBe("permission");
      expect(confirm("dir", "b.ts")).toBe("permission");
      close();
    });
  });

  it("follows no directory that was swapped for a link", () => {
    const { path } = fixture({ root: { dir: { x: "" } }, outside: { x: "", "bad-\ufffd": "" } });
    const { confirm, close } = confirmerAt(path("root"));
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    expect(confirm("dir", "x")).toBe("gone");
    expect(confirm("dir", "bad-\ufffd")).toBe("gone");
    close();
  });
});

describe("createConfirmer", () => {
  it("does not answer by path once the path leads elsewhere", () => {
    const { path } = fixture({ root: { dir: { x: "" } }, outside: { x: "", y: "" } });
    const { confirm, close } = createConfirmer(createBoundary(path("root"), undefined, false));
    expect(confirm("dir", "x")).toBe("present");
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    expect(confirm("dir", "y")).toBe("gone");
    close();
  });

  it.runIf(process.platform === "linux")("stays with the directory that it opened", () => {
    const { path } = fixture({ root: { dir: { x: "" } }, outside: { y: "" } });
    const { confirm, close } = createConfirmer(createBoundary(path("root")));
    expect(confirm("dir", "x")).toBe("present");
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    expect(confirm("dir", "x")).toBe("present");
    expect(confirm("dir", "y")).toBe("gone");
    close();
  });
});

import { fixture, type Fixture } from "@fstools/testing";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChatEndpoint } from "./support/chat-endpoint.ts";
import { inProcess } from "./support/terminal.ts";

type Git = (...args: string[]) => unknown;

/** A repository whose settings name a program; it leaves a file behind when it runs. */
function hostileRepository(settle: (git: Git, program: string, write: Fixture["write"]) => void) {
  const project = fixture({ "a.txt": "one\n", "b.txt": "two\n" });
  const outside = fixture({});
  const git: Git = (...args) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-C", project.root, ...args], { stdio: "pipe" });
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  settle(git, `touch ${outside.path("ran")}; cat`, project.write);
  // Git compares contents, and so runs filters, where the time of a file is not the one it knows.
  utimesSync(project.path("a.txt"), 1, 1);
  return { root: project.root, ran: () => existsSync(outside.path("ran")) };
}

const ATTRIBUTES = { ".gitattributes": "* filter=evil\n" };

const SETTINGS: Readonly<Record<string, Parameters<typeof hostileRepository>[0]>> = {
  "filter.evil.clean": (git, program, write) => {
    write(ATTRIBUTES);
    git("config", "filter.evil.clean", program);
  },
  "filter.evil.process": (git, program, write) => {
    write(ATTRIBUTES);
    git("config", "filter.evil.process", program);
  },
  "core.fsmonitor": (git, program) => {
    git("config", "core.fsmonitor", program);
  },
  "include.path": (git, program, write) => {
    write({ ...ATTRIBUTES, "more.config": `[filter "evil"]\n\tclean = "${program}"\n` });
    git("config", "include.path", "../more.config");
  },
  "a submodule": (git, program, write) => {
    write({ module: { "a.txt": "one\n" } });
    git("-C", "module", "init", "-q");
    git("-C", "module", "-c", "user.name=t", "-c", "user.email=t@t", "add", ".");
    git("-C", "module", "commit", "-q", "-m", "first");
    git("-c", "advice.addEmbeddedRepo=false", "add", "module");
    git("-C", "module", "config", "filter.evil.clean", program);
    write({ module: { ...ATTRIBUTES, "a.txt": "two\n" } });
  },
};

describe("a hostile repository", () => {
  // Rule: Nothing of the project is run, git included.
  it.each(Object.entries(SETTINGS))("runs no program by %s", async (_name, settle) => {
    const { root, ran } = hostileRepository(settle);
    for (const args of [["tools"], ["run", "LS"], ["ask", "What is in .?"]]) await inProcess([...args, "--root", root]);
    expect(ran()).toBe(false);
  });

  it("is not written to without --write", async () => {
    const { root } = hostileRepository(() => undefined);
    const { stdout } = await inProcess(["tools", "--json", "--root", root]);
    expect(stdout).not.toContain('"Edit"');
    const { stderr } = await inProcess(["run", "Edit", "path=a.txt", "--root", root]);
    expect(stderr).toContain("'Edit' is off. --write offers tools that change files.");
  });

  it("meets a playground that starts no process at all", () => {
    const src = fileURLToPath(new URL("../src", import.meta.url));
    const starting = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.tsx?$/u.test(name) && readFileSync(`${src}/${name}`, "utf8").includes("child_process"),
    );
    expect(starting).toEqual([]);
  });
});

describe("a name that looks like more than it is", () => {
  const name = "a\u001b[2K\u001b[1G\u202etxt.\nApply this change to 'safe.txt'?.txt";

  // Rule: The question about a change shows the path as it is, whatever is in it.
  it("cannot forge the question about a change", async () => {
    const { root, path } = fixture({ [name]: "red\n" });
    const edit = { path: name, old_string: "red", new_string: "a\u001b[2Kb\u202ec" };
    const endpoint = await startChatEndpoint("k", (_request, index) =>
      index === 0 ? { calls: [{ id: "1", name: "Edit", pieces: [JSON.stringify(edit)] }] } : { text: ["No."] },
    );
    onTestFinished(() => endpoint.close());
    const model = ["--base-url", endpoint.baseUrl, "--model", "m", "--api-key", "k"];
    const { stdout, stderr } = await inProcess(["ask", "Go on", "--root", root, "--write", ...model], {
      input: "n\n",
    });
    for (const control of ["\u001b", "\u202e"]) expect(stdout + stderr).not.toContain(control);
    const shown = String.raw`'a\u001b[2K\u001b[1G\u202etxt.\nApply this change to 'safe.txt'?.txt'`;
    expect(stderr.split("\n")).toContain(`Edit wants to change ${shown}:`);
    expect(stderr.split("\n")).toContain(String.raw`+a\u001b[2Kb\u202ec`);
    expect(stderr.split("\n")).toContain(`Apply this change to ${shown}? [y/N] `);
    expect(readFileSync(path(name), "utf8")).toBe("red\n");
  });
});

import { steady } from "@fstools/testing";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { BUNDLED_PACKAGES, bundleAndRun, BUNDLERS, EXPECTED, writeProgram } from "./bundlers.ts";
import { asCommonJs, asModule, type Example, readExample } from "./example.ts";
import { dependentsOf, packageFolders, versions } from "./manifest.ts";
import { createProject, type Footprint, type Project } from "./project.ts";
import { type Published, publishEverything } from "./published.ts";
import { run } from "./run.ts";
import { tarballProblems } from "./tarball-problems.ts";
import { WORKSPACE } from "./workspace-copy.ts";

/** What `npm install` of a package may bring. zod alone takes 6.2 MB; our own code is a fraction of that. */
const CEILINGS: Readonly<Record<string, { packages: number; megabytes: number }>> = {
  adapters: { packages: 3, megabytes: 7 },
  edit: { packages: 5, megabytes: 7.6 },
  glob: { packages: 4, megabytes: 7.2 },
  delete: { packages: 4, megabytes: 7.2 },
  // Seven of these megabytes are ripgrep and re2js; the first is optional.
  grep: { packages: 8, megabytes: 14.5 },
  ls: { packages: 4, megabytes: 7.2 },
  mcp: { packages: 22, megabytes: 25 },
  move: { packages: 4, megabytes: 7.2 },
  patch: { packages: 5, megabytes: 7.6 },
  protocol: { packages: 2, megabytes: 6.8 },
  read: { packages: 5, megabytes: 7.6 },
  "read-opencode": { packages: 5, megabytes: 7.6 },
  // The client of MCP, with what it needs to sign in elsewhere.
  remote: { packages: 31, megabytes: 24 },
  sandbox: { packages: 3, megabytes: 7.1 },
  text: { packages: 4, megabytes: 7.5 },
  toolset: { packages: 18, megabytes: 15 },
  write: { packages: 4, megabytes: 7.2 },
};

const INSTALLS_AT_A_TIME = 3;

const pageSchema = z.object({
  description: z.string().min(1),
  keywords: z.array(z.string()).min(1),
  license: z.literal("MIT"),
  repository: z.object({ type: z.literal("git"), url: z.url(), directory: z.string() }),
  homepage: z.url(),
  bugs: z.object({ url: z.url() }),
  dependencies: z.record(z.string(), z.string()),
  dist: z.object({ tarball: z.url() }),
});

const TYPESCRIPT = [
  ["node16", { module: "node16" }],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  // Version 6 is the last that knows it.
  ["node10", { module: "esnext", moduleResolution: "node10", ignoreDeprecations: "6.0" }],
] as const;

const names = packageFolders(WORKSPACE).map((path) => basename(path));
let published: Published;

beforeAll(async () => {
  published = await publishEverything();
});

afterAll(() => {
  published.remove();
});

/** A package's manifest as the registry shows it. */
async function shownManifest(name: string): Promise<unknown> {
  const response = await fetch(`${published.registry.url}${name.replace("/", "%2f")}/latest`);
  return response.json();
}

describe("a release", () => {
  // Rule: A release publishes every package, without traces of the workspace.
  it("publishes every package, and only those", async () => {
    for (const [name, version] of Object.entries(versions(published.copy.folder))) {
      expect(version).not.toBe("0.0.0");
      expect(await shownManifest(name), name).toMatchObject({ name, version });
    }
    const tooling = await fetch(`${published.registry.url}@fstools%2frelease`);
    expect(tooling.status).toBe(404);
  });

  it("leaves no trace of the workspace in what is published", async () => {
    for (const name of Object.keys(versions(published.copy.folder))) {
      const manifest = JSON.stringify(await shownManifest(name));
      expect(manifest, name).not.toMatch(/workspace:|catalog:|@fstools\/source|devDependencies/u);
    }
  });

  it.each(names)("tells npm's page of @fstools/%s what to show", async (name) => {
    const { homepage, repository } = pageSchema.parse(await shownManifest(`@fstools/${name}`));
    expect(repository.directory).toBe(`packages/${name}`);
    expect(homepage).toContain(`/packages/${name}#readme`);
  });

  it.each(names)("asks for ranges of what @fstools/%s needs, so that a project's own copy is shared", async (name) => {
    const { dependencies } = pageSchema.parse(await shownManifest(`@fstools/${name}`));
    expect(Object.values(dependencies).filter((range) => !range.startsWith("^"))).toEqual([]);
  });

  // Rule: publint and are-the-types-wrong find nothing in what is published.
  it.each(names)("gives publint and are-the-types-wrong nothing to find in @fstools/%s", async (name) => {
    const { dist } = pageSchema.parse(await shownManifest(`@fstools/${name}`));
    const tarball = await fetch(dist.tarball);
    expect(await tarballProblems(await tarball.arrayBuffer())).toEqual([]);
  });
});

/** An empty project of a user; each name is made once. */
function projectOf(name: string): Project {
  return createProject(join(published.folder, "projects", name), published.registry);
}

interface Installed {
  readonly example: Example;
  readonly footprint: Footprint;
}

/** Installs a package alone, then with what its README asks for beside it. */
async function install(name: string): Promise<Installed> {
  const project = projectOf(name);
  const example = readExample(join(WORKSPACE, "packages", name));
  const footprint = await project.install([`@fstools/${name}`]);
  if (example.install.length > 1) await project.install(example.install);
  return { example, footprint };
}

describe("in empty projects", () => {
  const installed = new Map<string, Promise<Installed>>();

  // npm mostly waits: a few installations at a time take as long as one.
  beforeAll(() => {
    const lanes = Array.from({ length: INSTALLS_AT_A_TIME }, () => Promise.resolve());
    for (const [index, name] of names.entries()) {
      const lane = index % INSTALLS_AT_A_TIME;
      const done = (lanes[lane] ?? Promise.resolve()).then(() => install(name));
      // The tests of that package report a failure.
      lanes[lane] = done.then(
        () => undefined,
        () => undefined,
      );
      installed.set(name, done);
    }
  });

  describe.each(names)("@fstools/%s", (name) => {
    const project = () => projectOf(name);
    let example: Example;
    let footprint: Footprint;

    beforeAll(async () => {
      ({ example, footprint } = await (installed.get(name) ?? install(name)));
    });

    // Rule: What an installation takes has a ceiling.
    it("takes no more packages and room than its ceiling", () => {
      const { packages, bytes } = footprint;
      const ceiling = CEILINGS[name];
      console.log(`@fstools/${name}: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB`);
      expect(packages).toBeLessThanOrEqual(ceiling?.packages ?? 0);
      expect(bytes / 1e6).toBeLessThanOrEqual(ceiling?.megabytes ?? 0);
    });

    // Rule: Each package works alone: ESM, CommonJS, TypeScript (node16, bundler and node10).
    it("runs the README's example as an ES module", async () => {
      const printed = await project().runExample(example.code, "example.mjs", asModule(example.code));
      expect(steady(printed)).toBe(steady(example.output));
    });

    it("runs the README's example as CommonJS", async () => {
      const printed = await project().runExample(example.code, "example.cjs", asCommonJs(example.code));
      expect(steady(printed)).toBe(steady(example.output));
    });
  });

  // One run for all: each example finds only what is installed in its own project.
  it.each(TYPESCRIPT)("the README's examples compile with TypeScript, %s resolution", async (kind, options) => {
    const projects = join(published.folder, "projects");
    for (const name of names) {
      const { example } = await (installed.get(name) ?? install(name));
      writeFileSync(join(projects, name, "example.mts"), example.code);
    }
    const types = { typeRoots: [join(WORKSPACE, "node_modules", "@types")], types: ["node"] };
    // The declarations themselves are the same for all: they are looked at once.
    const skipLibCheck = kind !== "node16";
    const compilerOptions = { target: "es2023", strict: true, noEmit: true, skipLibCheck, ...types, ...options };
    const files = names.map((name) => `${name}/example.mts`);
    writeFileSync(join(projects, `tsconfig.${kind}.json`), JSON.stringify({ compilerOptions, files }));
    const tsc = join(
      WORKSPACE,
      "tooling",
      kind === "node10" ? "checks" : "presets",
      "node_modules",
      "typescript",
      "bin",
      "tsc",
    );
    await run(process.execPath, [tsc, "-p", `tsconfig.${kind}.json`], { cwd: projects });
  });
});

// Rule: Code of others inside a package comes with its license.
it.each([
  ["protocol", "zod"],
  ["sandbox", "leven"],
  ["mcp", "re2js"],
])("puts beside the code of @fstools/%s the license of the %s inside it", (name, inside) => {
  const path = join(
    published.folder,
    "projects",
    name,
    "node_modules",
    "@fstools",
    name,
    "dist",
    "THIRD-PARTY-LICENSES.txt",
  );
  expect(readFileSync(path, "utf8")).toMatch(new RegExp(String.raw`^${inside} \d+\.\d+\.\d+\n\n.*Copyright`, "msu"));
});

describe("@fstools/grep without its optional dependency", () => {
  it("finds the same, and says that it is slower", async () => {
    const project = projectOf("grep-bare");
    const { packages } = await project.install(["--omit=optional", "@fstools/grep"]);
    expect(packages).toBeLessThanOrEqual(6);
    const { code, output } = readExample(join(WORKSPACE, "packages", "grep"));
    const printed = await project.runExample(code, "example.mjs", asModule(code));
    expect(printed).toContain("[Warning: ripgrep is not available; used a slower search in JavaScript.");
    expect(printed.split("\n\n")[1]).toBe(output.split("\n\n")[1]);
  });
});

describe("in a bundle", () => {
  beforeAll(async () => {
    await projectOf("bundled").install(BUNDLED_PACKAGES);
    writeProgram(projectOf("bundled"));
  });

  // Rule: Bundlers need no configuration, and what they make needs no package beside it.
  it.each(BUNDLERS)("$name: the tools answer as ever, Grep with its own engine", async (bundler) => {
    const answers = await bundleAndRun(bundler, projectOf("bundled"), published.folder);
    expect(answers).toMatchObject(EXPECTED);
    expect(answers.Grep).toMatchObject({ fallback: "javascript", fallback_reason: "rg_not_found" });
  });
});

describe("the command of @fstools/mcp", () => {
  it("starts as npx starts it, and serves", async () => {
    const project = projectOf("mcp");
    const npx = ["--no", "--", "@fstools/mcp"];
    expect(await project.run("npx", [...npx, "--version"])).toBe(`${project.installedVersion("@fstools/mcp")}\n`);
    const clientInfo = { name: "proof", version: "1.0.0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const answer: unknown = JSON.parse(await project.exchange("npx", [...npx, "--root", "."], initialize));
    expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: "fstools" } } });
  });
});

describe("the next release", () => {
  // Rule: A minor of a package patches its dependents and nothing else.
  it("a minor of ls patches what offers it, and reaches a project that updates", async () => {
    await expectBump("@fstools/ls");
    await published.copy.publish();
    const project = projectOf("ls");
    await project.install(["@fstools/ls@latest"]);
    expect(project.installedVersion("@fstools/ls")).toBe(versions(published.copy.folder)["@fstools/ls"]);
  });

  it.each(["@fstools/protocol", "@fstools/mcp"])(
    "a minor of %s patches its dependents, and touches nothing else",
    async (name) => {
      await expectBump(name);
    },
  );
});

/** Makes a minor version of a package; what needs it must follow with a patch, and the rest stay as it is. */
async function expectBump(name: string): Promise<void> {
  const before = Object.entries(versions(published.copy.folder));
  const dependents = dependentsOf(published.copy.folder, name);
  published.copy.addChangeset({ [name]: "minor" });
  await published.copy.version();
  const expected = before.map(([other, version]) => {
    if (other === name) return [other, bumped(version, "minor")];
    return [other, dependents.has(other) ? bumped(version, "patch") : version];
  });
  expect(versions(published.copy.folder)).toEqual(Object.fromEntries(expected));
}

function bumped(version: string, bump: "minor" | "patch"): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return bump === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Registry } from "./registry.ts";
import { run } from "./run.ts";

export interface Footprint {
  readonly packages: number;
  readonly bytes: number;
}

export interface Project {
  readonly folder: string;
  install(names: readonly string[]): Promise<Footprint>;
  installedVersion(name: string): string;
  write(name: string, content: string): void;
  run(command: string, args: readonly string[]): Promise<string>;
  exchange(command: string, args: readonly string[], line: string): Promise<string>;
  runExample(source: string, name: string, translation: string): Promise<string>;
}

/** Makes an empty project that takes our packages from the local registry and all others from the usual one. */
export function createProject(folder: string, registry: Registry): Project {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
  };
  write("package.json", JSON.stringify({ name: "empty", private: true }));
  write(".npmrc", `@fstools:registry=${registry.url}\n`);
  return {
    folder,
    write,
    run: (command, args) => run(command, args, { cwd: folder }),
    exchange: async (command, args, line) => {
      const child = spawn(command, args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.write(`${line}\n`);
      const answered: readonly unknown[] = await once(createInterface(child.stdout), "line");
      // A server on standard input ends when it ends.
      child.stdin.end();
      return String(answered[0]);
    },
    runExample: async (source, name, translation) => {
      write(name, translation);
      const cwd = join(folder, `in-${name}`);
      mkdirSync(cwd);
      writeFileSync(join(cwd, "example.ts"), source);
      return run(process.execPath, [join("..", name)], { cwd });
    },
    install: async (names) => {
      await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", ...names], {
        cwd: folder,
      });
      return footprint(folder);
    },
    installedVersion: (name) => {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
      return z.object({ version: z.string() }).parse(manifest).version;
    },
  };
}

function footprint(folder: string): Footprint {
  const lock: unknown = JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"));
  const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(lock);
  return { packages: Object.keys(packages).length, bytes: sizeOf(join(folder, "node_modules")) };
}

function sizeOf(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

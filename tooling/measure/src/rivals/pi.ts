import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importFrom, messageOf, textOf, type OpenHost } from "./host.ts";

interface Pi {
  createReadTool(root: string): PiTool;
  createEditTool(root: string): PiTool;
  createWriteTool(root: string): PiTool;
  createGrepTool(root: string): PiTool;
  createFindTool(root: string): PiTool;
  createLsTool(root: string): PiTool;
}

interface PiTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  execute(id: string, params: object): Promise<{ readonly content: unknown }>;
}

/** All file tools of pi; its shell is left out, since no other set has one but bash-tool. */
export const open: OpenHost = async (root) => {
  const forgetFd = knowOldFd();
  const pi = await importFrom<Pi>("pi", "@mariozechner/pi-coding-agent");
  const tools = [
    pi.createReadTool(root),
    pi.createEditTool(root),
    pi.createWriteTool(root),
    pi.createGrepTool(root),
    pi.createFindTool(root),
    pi.createLsTool(root),
  ];
  return {
    definitions: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    call: async (name, params) => {
      try {
        const result = await tools.find((tool) => tool.name === name)?.execute("call", params);
        return textOf(result?.content ?? `Tool ${name} not found`);
      } catch (error) {
        return messageOf(error);
      }
    },
    close: forgetFd,
  };
};

/**
 * pi finds files with fd, and passes a flag that fd before 8.7 does not know, as Debian has it. There the flag's meaning is
 * what fd does anyway, so that a script in front of it drops the flag. Returns what removes the script.
 */
function knowOldFd(): () => void {
  const old = ["fd", "fdfind"].find((name) => /^fd\w* 8\.[0-6]\./u.test(versionOf(name)));
  if (old === undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), "fstools-fd-"));
  const drop = `for a; do shift; [ "$a" = --no-require-git ] || set -- "$@" "$a"; done`;
  const found = execFileSync("which", [old]).toString().trim();
  writeFileSync(join(folder, "fd"), `#!/bin/sh\n${drop}\nexec ${found} "$@"\n`, { mode: 0o755 });
  process.env.PATH = `${folder}:${process.env.PATH ?? ""}`;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}

function versionOf(program: string): string {
  try {
    return execFileSync(program, ["--version"]).toString();
  } catch {
    return "";
  }
}

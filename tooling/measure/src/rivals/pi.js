import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostOf, importFrom, replaceModule } from "./host.ts";

const FOLDER = "./@earendil-works/pi-coding-agent/dist/core/tools";

const DRAWING =
  "Box,Container,Spacer,Text,backgroundAnsi,colorToHex,colorToOkhsl,colorToOklch,colorToRgb,foregroundAnsi,getCapabilities,getImageDimensions,getKeybindings,getTerminalColorMode,hyperlink,imageFallback,indexedColor,mixColors,okhslColor,oklabToOkhslLightness,oklchColor,parseColor,rgbColor,setImageTranscoder,styleTextWithAnsi";

export async function pi(root) {
  const forgetFd = knowOldFd();
  replaceModule("@earendil-works/pi-tui", DRAWING);
  replaceModule("@earendil-works/pi-ai", "formatUserAgent");
  const names = ["Read", "Edit", "Write", "Grep", "Find", "Ls"];
  const tools = [];
  for (const kind of names) {
    const module = await importFrom("pi", `${FOLDER}/${kind.toLowerCase()}.js`);
    const tool = module[`create${kind}Tool`](root);
    const { name, description, parameters } = tool;
    const run = async (params) => (await tool.execute("call", params)).content;
    tools.push({ name, description, parameters, run });
  }
  return hostOf(tools, forgetFd);
}

/**
 * pi finds files with fd, and passes a flag that fd before 8.7 does not know, as Debian has it. There the flag's meaning is
 * what fd does anyway, so that a script in front of it drops the flag. Returns what removes the script.
 */
function knowOldFd() {
  const old = ["fd", "fdfind"].find((name) => /^fd\w* 8\.[0-6]\./u.test(versionOf(name)));
  if (old === undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), "fstools-fd-"));
  const drop = `for a; do shift; [ "$a" = --no-require-git ] || set -- "$@" "$a"; done`;
  const found = execFileSync("which", [old]).toString().trim();
  writeFileSync(join(folder, "fd"), `#!/bin/sh\n${drop}\nexec ${found} "$@"\n`, { mode: 0o755 });
  process.env.PATH = `${folder}:${process.env.PATH ?? ""}`;
  return () => rmSync(folder, { recursive: true, force: true });
}

function versionOf(program) {
  try {
    return execFileSync(program, ["--version"]).toString();
  } catch {
    return "";
  }
}

#!/usr/bin/env node
// @ts-check
// Packs the package in the current folder as it will be published, then runs publint and are-the-types-wrong on the tarball.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const require = createRequire(import.meta.url);
const attw = join(dirname(require.resolve("@arethetypeswrong/cli/package.json")), "dist", "index.js");
const folder = mkdtempSync(join(tmpdir(), "fstools-pack-"));

try {
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { stdio: ["ignore", "ignore", "inherit"] });
  const [name] = readdirSync(folder);
  if (name === undefined) throw new Error("pnpm pack made no tarball.");
  const tarball = join(folder, name);

  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  for (const message of messages) console.error(`publint: ${formatMessage(message, pkg) ?? message.code}`);
  if (messages.length > 0) process.exitCode = 1;

  execFileSync(process.execPath, [attw, tarball, "--profile", "esm-only"], { stdio: ["ignore", "inherit", "inherit"] });
  console.log(`${name}: ${bytes.length} bytes, publint and are-the-types-wrong find nothing`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { HALF_A_FILE } from "./attacks/crashes.ts";

/** A small break in the code that an attack must find. */
export interface Mutation {
  readonly name: string;
  /** What the broken code does. */
  readonly what: string;
  /** The attack that must notice. */
  readonly attack: string;
  /** A part of what it must say, where the attack could also notice something else first. */
  readonly sign?: string;
  readonly edits: readonly Edit[];
}

/** One place in the code, and what it is replaced by. */
interface Edit {
  readonly file: string;
  readonly search: string;
  readonly replace: string;
}

export const mutations: readonly Mutation[] = [
  {
    name: "prefix containment",
    what: "a sibling whose name begins like the root counts as inside",
    attack: "races",
    edits: [
      {
        file: "packages/sandbox/src/names/safe-path.ts",
        search: 'if (absolute === root) return ".";\n  const prefix = root.endsWith(sep) ? root : root + sep;',
        replace: 'if (absolute === root) return ".";\n  const prefix = root;',
      },
    ],
  },
  {
    name: "prefix of a name",
    what: "a path to a sibling of the root is taken for the root",
    attack: "paths",
    edits: [
      {
        file: "packages/sandbox/src/resolve/follow.ts",
        search: "else if (isSameName(boundary.rootNames[here.depth], name)) here.depth += 1;",
        replace: 'else if (name.startsWith(boundary.rootNames[here.depth] ?? "/")) here.depth += 1;',
      },
    ],
  },
  {
    name: "existence outside",
    what: "it shows whether something exists outside",
    attack: "paths",
    edits: [
      {
        file: "packages/sandbox/src/resolve/follow.ts",
        search: 'import { isAbsolute, sep } from "node:path";',
        replace: 'import { lstatSync } from "node:fs";\nimport { isAbsolute, sep } from "node:path";',
      },
      {
        file: "packages/sandbox/src/resolve/follow.ts",
        search: "else return OUTSIDE;",
        replace:
          'else return lstatSync(`/${boundary.rootNames.slice(0, here.depth).join("/")}/${name}`, { throwIfNoEntry: false }) === undefined ? { stopped: "missing", nearest: "." } : OUTSIDE;',
      },
    ],
  },
  {
    name: "check, then open",
    what: "what was opened is not looked at again",
    attack: "races",
    edits: [
      {
        file: "packages/sandbox/src/disk/descriptor.ts",
        search: "relative: expectInside(boundary, location, place)",
        replace: "relative: place.relative",
      },
      {
        file: "packages/sandbox/src/disk/proc-verifier.ts",
        search: "if (readlinkSync(`${DESCRIPTORS}/${descriptor}`) === absolute) return",
        replace: "if (descriptor >= 0) return",
      },
    ],
  },
  {
    name: "unverified names",
    what: "Glob reads directories without looking where their descriptors lead",
    attack: "races",
    edits: [
      {
        file: "packages/sandbox/src/search/contents.ts",
        search: 'import { closeSync, constants, existsSync } from "node:fs";',
        replace: 'import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";',
      },
      {
        file: "packages/sandbox/src/search/contents.ts",
        search: 'openSeen(boundary, place, "directory") ?? openVerified(boundary, place, "directory");',
        replace:
          "{ descriptor: openSync(place.absolute), relative: path, stats: undefined };\n  verified.stats = fstatSync(verified.descriptor);",
      },
    ],
  },
  {
    name: "a path at its word",
    what: "Glob looks a path up without asking the descriptor where it leads",
    attack: "races",
    edits: [
      {
        file: "packages/sandbox/src/search/contents.ts",
        search: 'import { closeSync, constants, existsSync } from "node:fs";',
        replace: 'import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";',
      },
      {
        file: "packages/sandbox/src/search/contents.ts",
        search: "const opened = boundary.verifier.openExactly(place, O_PATH | constants.O_NOFOLLOW);",
        replace:
          "let opened;\n  try {\n    const descriptor = openSync(place.absolute, O_PATH | constants.O_NOFOLLOW);\n    opened = { descriptor, stats: fstatSync(descriptor) };\n  } catch {}",
      },
    ],
  },
  {
    name: "trusting paths",
    what: "Grep gives ripgrep descriptors that were not verified",
    attack: "races",
    edits: [
      {
        file: "packages/grep/src/text/search-text.ts",
        search: 'import { Buffer } from "node:buffer";',
        replace:
          'import { Buffer } from "node:buffer";\nimport { closeSync, fstatSync, openSync, readSync } from "node:fs";',
      },
      {
        file: "packages/grep/src/text/search-text.ts",
        search: "const file = sandbox.open(path);\n  try {\n    const head",
        replace:
          "const descriptor = openSync(path.absolute);\n  const size = fstatSync(descriptor).size;\n  const file = { path, size, version: {}, descriptor, isUnchanged: () => true, read: (target, at) => readSync(descriptor, target, 0, target.length, at), close: () => closeSync(descriptor) };\n  try {\n    const head",
      },
    ],
  },
  {
    name: "ripgrep left alone",
    what: "a search that ended leaves its ripgrep running",
    attack: "faults",
    edits: [
      {
        file: "packages/grep/src/engine/ripgrep/process.ts",
        search: "if (isKilled) return;",
        replace: "if (child.pid !== undefined) return;",
      },
    ],
  },
  {
    name: "long turns in JavaScript",
    what: "re2js looks at 48 KB in one go, whatever the pattern",
    attack: "aborts",
    edits: [
      {
        file: "packages/grep/src/engine/javascript.ts",
        search: "Math.floor(MAX_PIECE_WORK / size)",
        replace: "MAX_PIECE_BYTES",
      },
    ],
  },
  {
    name: "believed at once",
    what: "rows that ripgrep cannot have printed are taken for its own",
    attack: "faults",
    edits: [
      {
        file: "packages/grep/src/engine/ripgrep/rows.ts",
        search: 'if (hit.lineStart <= lastLine) throw new EngineError("rg_failed");',
        replace: "",
      },
    ],
  },
  {
    name: "denied names",
    what: "listings show what the host denies",
    attack: "paths",
    edits: [
      {
        file: "packages/sandbox/src/disk/directory.ts",
        search: "return deny.isEmpty ? undefined :",
        replace: "return deny.names.length >= 0 ? undefined :",
      },
    ],
  },
  {
    name: "rules for the top only",
    what: "a deny rule without a slash is compared with whole paths",
    attack: "paths",
    edits: [
      {
        file: "packages/sandbox/src/rules/deny-rules.ts",
        search: 'isAnchored: path.replace(/\\/+$/u, "").includes("/")',
        replace: "isAnchored: true",
      },
    ],
  },
  {
    name: "a link at its word",
    what: "links are followed that may have been seen outside",
    attack: "exchanges",
    sign: "back.txt",
    edits: [
      {
        file: "packages/sandbox/src/resolve/resolve-path.ts",
        search: "if (!followed.every((link) => isStillThere(boundary, link))) return false;",
        replace: "",
      },
    ],
  },
  {
    name: "links by their paths",
    what: "LS and Glob ask by path where a link leads",
    attack: "exchanges",
    sign: "a link inside could lead to",
    edits: [
      {
        file: "packages/sandbox/src/resolve/leads-to-directory.ts",
        search: 'import type { PathStatus } from "../disk/verifier.ts";',
        replace: 'import { lstatPath, type PathStatus } from "../disk/verifier.ts";',
      },
      {
        file: "packages/sandbox/src/resolve/leads-to-directory.ts",
        search: "verifier.look(paths.place(relative))?.result",
        replace: "lstatPath(absolute)",
      },
    ],
  },
  {
    name: "unconfirmed answers",
    what: "it passes on what a swapped path says of outside",
    attack: "exchanges",
    edits: [
      {
        file: "packages/sandbox/src/resolve/resolve-path.ts",
        search: "if (asked === undefined) return true;",
        replace: "if (asked === undefined || asked.length >= 0) return true;",
      },
      {
        file: "packages/sandbox/src/disk/descriptor.ts",
        search: 'if (reason === "outside" || reason === "denied" || errnoCode(cause) === "ENAMETOOLONG") return true;',
        replace: "if (reason.length > 0) return true;",
      },
    ],
  },
  {
    name: "a spill through a link",
    what: "a link in the repository chooses where outputs go",
    attack: "faults",
    edits: [
      {
        file: "packages/sandbox/src/store/output-store.ts",
        search: "if (isInside && followed.length > 0) throw new LinkedDirectoryError();",
        replace: "",
      },
    ],
  },
  {
    name: "waiting for a pipe",
    what: "a pipe is opened as if it were a file",
    attack: "hostile trees",
    edits: [
      {
        file: "packages/sandbox/src/disk/verifier.ts",
        search: "constants.O_NOFOLLOW | constants.O_NONBLOCK | refuseLinksOnMac()",
        replace: "constants.O_NOFOLLOW | refuseLinksOnMac()",
      },
      {
        file: "packages/sandbox/src/disk/descriptor.ts",
        search: "expectKind(lstatSync(place.absolute, { bigint: true }), kind, place);",
        replace: "",
      },
    ],
  },
  {
    name: "waiting for an ignore file",
    what: "a pipe called .gitignore is opened as if it were a file",
    attack: "hostile trees",
    edits: [
      {
        file: "packages/sandbox/src/search/ignore-files.ts",
        search: "const FLAGS = constants.O_RDONLY | GUARDED;",
        replace: "const FLAGS = constants.O_RDONLY | (GUARDED & 0);",
      },
    ],
  },
  {
    name: "a directory that went away",
    what: "a directory that vanishes under the walk counts as unreadable",
    attack: "changing trees",
    edits: [
      {
        file: "packages/sandbox/src/search/contents.ts",
        search: 'path.includes(REPLACEMENT_CHARACTER) ? "unnameable" : "gone"',
        replace: 'path.includes(REPLACEMENT_CHARACTER) ? "unnameable" : "unreadable"',
      },
    ],
  },
  {
    name: "raw names",
    what: "control characters in names reach the text",
    attack: "hostile trees",
    edits: [
      {
        file: "packages/protocol/src/text.ts",
        search: "return value.replace(UNSAFE, escapeCharacter);",
        replace: "return value;",
      },
    ],
  },
  {
    name: "split code point",
    what: "a character that a buffer's end cuts in two is decoded in halves",
    attack: "encodings",
    edits: [
      {
        file: "packages/text/src/bytes/chunks.ts",
        search: "(chunk.at(-1) === RETURN ? 1 : unfinishedBytes(chunk))",
        replace: "(chunk.at(-1) === RETURN ? 1 : 0)",
      },
    ],
  },
  {
    name: "split line end",
    what: "CR LF across a buffer's end counts as two line ends",
    attack: "encodings",
    edits: [
      {
        file: "packages/text/src/bytes/chunks.ts",
        search: "(chunk.at(-1) === RETURN ? 1 : unfinishedBytes(chunk))",
        replace: "unfinishedBytes(chunk)",
      },
    ],
  },
  {
    name: "unnoticed bad bytes",
    what: "bytes that are not UTF-8 are not reported",
    attack: "encodings",
    edits: [
      {
        file: "packages/text/src/line-index/scan.ts",
        search: "isFlawless: isFlawless && earlier?.isFlawless !== false",
        replace: "isFlawless: true",
      },
      {
        file: "packages/text/src/text-reader.ts",
        search: "isFlawless: isFlawless(encoding, bytes, text)",
        replace: "isFlawless: true",
      },
    ],
  },
  {
    name: "stale index",
    what: "the index of an older version of a file is used",
    attack: "encodings",
    edits: [
      {
        file: "packages/text/src/line-index/index-cache.ts",
        search: "return [device, inode, size, mtimeNs, ctimeNs, encoding]",
        replace: "return [device, inode, size > 0n, mtimeNs > 0n, encoding]",
      },
    ],
  },
  {
    name: "open forever",
    what: "files are not closed",
    attack: "aborts",
    edits: [{ file: "packages/read/src/tool.ts", search: "file.close();", replace: "" }],
  },
  {
    name: "unhandled rejection",
    what: "a failure is handled in one place and lost in another",
    attack: "aborts",
    edits: [
      {
        file: "packages/protocol/src/abort.ts",
        search: "void work().then(settled(resolve), settled(reject));",
        replace: "const working = work(); void working.then(settled(resolve)); working.catch(settled(reject));",
      },
    ],
  },
  {
    name: "throwing parameters",
    what: "parameters that cannot be read make the call reject",
    attack: "parameters",
    edits: [
      {
        file: "packages/protocol/src/params/read.ts",
        search: "} catch {\n    // A proxy whose traps throw.\n    return { paramsInput: recorded(params) };",
        replace: "} catch (error) {\n    throw error;",
      },
    ],
  },
  {
    name: "units for bytes",
    what: "the truncator counts UTF-16 units as bytes",
    attack: "truncation",
    edits: [
      {
        file: "packages/protocol/src/utf8.ts",
        search: "return encoder.encodeInto(text, new Uint8Array(Math.min(maxBytes, 3 * text.length))).read;",
        replace: "return Math.min(maxBytes, text.length);",
      },
    ],
  },
  {
    name: "dropped spill suffix",
    what: "a second output in the same second overwrites the first",
    attack: "truncation",
    edits: [
      {
        file: "packages/sandbox/src/store/output-name.ts",
        search: '${count === 1 ? "" : `_${count}`}',
        replace: "",
      },
      {
        file: "packages/sandbox/src/disk/new-file.ts",
        search: "constants.O_CREAT | constants.O_EXCL |",
        replace: "constants.O_CREAT | constants.O_TRUNC |",
      },
    ],
  },
  {
    name: "half a spill",
    what: "what a full disk cut short is left behind",
    attack: "faults",
    edits: [
      {
        file: "packages/sandbox/src/disk/new-file.ts",
        search: "await unlink(path).catch(() => undefined);",
        replace: "",
      },
    ],
  },
  {
    name: "a followed link",
    what: "a file is written by its path, wherever that leads by now",
    attack: "swaps",
    edits: [
      {
        file: "packages/sandbox/src/write/write-step.ts",
        search: "renameSync, unlinkSync,",
        replace: "renameSync, unlinkSync, writeFileSync,",
      },
      {
        file: "packages/sandbox/src/write/write-step.ts",
        search: "      renameSync(file.path, path);\n",
        replace:
          "      await new Promise((resolve) => setTimeout(resolve, 1));\n      writeFileSync(`${directory.path.absolute}/${place.target.name}`, bytes);\n",
      },
    ],
  },
  {
    name: "renamed before it is on the disk",
    what: "a file gets its name before its content is safe",
    attack: "crashes",
    edits: [
      {
        file: "packages/sandbox/src/write/temporary-file.ts",
        search: "    if (durable) await fsyncAsync(descriptor);\n    return file;\n",
        replace: "    if (durable) setTimeout(() => void fsyncAsync(descriptor), 20);\n    return file;\n",
      },
    ],
  },
  {
    name: "check, then write",
    what: "a file is replaced that changed since it was looked at",
    attack: "writing",
    edits: [
      {
        file: "packages/sandbox/src/write/write-step.ts",
        search: "stats?.isFile() !== true || !isSameVersion(versionOf(stats), expected)",
        replace: "stats?.isFile() !== true",
      },
    ],
  },
  {
    name: "the first of several",
    what: "Edit takes the first place where there are several",
    attack: "writing",
    edits: [
      {
        file: "packages/text/src/editing/match.ts",
        search: "for (const open of all) settle(open, await findExact(text, open, pacer));",
        replace:
          "for (const open of all) settle(open, (await findExact(text, open, pacer)).slice(0, open.isForAll ? undefined : 1));",
      },
    ],
  },
  {
    name: "encoded again",
    what: "an edited file is decoded and encoded as a whole",
    attack: "writing",
    edits: [
      {
        file: "packages/text/src/editing/splice.ts",
        search: "bytes: spliced,",
        replace: "bytes: encoding.encode(encoding.decode(spliced)),",
      },
    ],
  },
  {
    name: "compared to the end",
    what: "a text that begins alike again and again is compared at every place",
    attack: "large edits",
    edits: [
      {
        file: "packages/text/src/editing/sequence.ts",
        search: "(wasted += wanted.length) > text.length",
        replace: "(wasted += wanted.length) < 0",
      },
    ],
  },
  {
    name: "an endless edit",
    what: "an edit makes a file of any size",
    attack: "large edits",
    edits: [
      {
        file: "packages/text/src/editing/splice.ts",
        search: 'if (newChars > maxBytes) throw new SpliceError("too_large");',
        replace: "",
      },
      {
        file: "packages/text/src/editing/splice.ts",
        search: 'if (size > maxBytes) throw new SpliceError("too_large");',
        replace: "",
      },
    ],
  },
  {
    name: "a lost mode",
    what: "a file that is replaced loses its mode",
    attack: "writing",
    edits: [
      {
        file: "packages/sandbox/src/write/temporary-file.ts",
        search: "if (mode !== undefined) fchmodSync(descriptor, mode);",
        replace: "if (mode !== undefined) fchmodSync(descriptor, 0o644);",
      },
    ],
  },
  {
    name: "left behind",
    what: "a write that failed leaves its temporary file",
    attack: "faults",
    edits: [
      {
        file: "packages/sandbox/src/write/temporary-file.ts",
        search: "if (stats !== undefined) await directory.remove(name, stats);",
        replace: "if (stats !== undefined && path === name) await directory.remove(name, stats);",
      },
    ],
  },
  {
    name: "half a file",
    what: "a file is written under its own name",
    attack: "crashes",
    sign: HALF_A_FILE,
    edits: [
      {
        file: "packages/sandbox/src/write/write-step.ts",
        search: "const broken = brokenByRename(old, file.status());",
        replace: 'const broken = brokenByRename(old, file.status()) ?? "hard links";',
      },
    ],
  },
  {
    name: "unread answers",
    what: "it reads on while the client leaves answers unread",
    attack: "messages",
    edits: [
      {
        file: "packages/mcp/src/stdio.ts",
        search: "while (calls >= MAX_CALLS || output.writableNeedDrain)",
        replace: "while (calls >= MAX_CALLS)",
      },
    ],
  },
  {
    name: "small messages only",
    what: "a message of a megabyte ends the connection",
    attack: "messages",
    edits: [
      {
        file: "packages/mcp/src/stdio.ts",
        search: "bytes > MAX_MESSAGE_BYTES",
        replace: "bytes > 1_000_000",
      },
    ],
  },
  {
    name: "endless goodbye",
    what: "it waits for a server that never answers a goodbye",
    attack: "servers",
    sign: "close() did not end",
    edits: [
      {
        file: "packages/remote/src/http.ts",
        search: 'AbortSignal.timeout(method === "DELETE" ? GOODBYE_MS : NOTICE_MS)',
        replace: "AbortSignal.timeout(NOTICE_MS * GOODBYE_MS)",
      },
    ],
  },
];

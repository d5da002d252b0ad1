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

/** A file below `packages`, one place in it, and what that is replaced by. */
type Edit = readonly [file: string, search: string, replace: string];

export const mutations: readonly Mutation[] = [
  mutation("races", "prefix containment", "a sibling whose name begins like the root counts as inside", [
    "sandbox/src/names/safe-path.ts",
    'if (absolute === root) return ".";\n  const prefix = root.endsWith(sep) ? root : root + sep;',
    'if (absolute === root) return ".";\n  const prefix = root;',
  ]),
  mutation("paths", "prefix of a name", "a path to a sibling of the root is taken for the root", [
    "sandbox/src/resolve/follow.ts",
    "else if (isSameName(boundary.rootNames[here.depth], name)) here.depth += 1;",
    'else if (name.startsWith(boundary.rootNames[here.depth] ?? "/")) here.depth += 1;',
  ]),
  mutation(
    "paths",
    "existence outside",
    "it shows whether something exists outside",
    [
      "sandbox/src/resolve/follow.ts",
      'import { isAbsolute, sep } from "node:path";',
      'import { lstatSync } from "node:fs";\nimport { isAbsolute, sep } from "node:path";',
    ],
    [
      "sandbox/src/resolve/follow.ts",
      "else return OUTSIDE;",
      'else return lstatSync(`/${boundary.rootNames.slice(0, here.depth).join("/")}/${name}`, { throwIfNoEntry: false }) === undefined ? { stopped: "missing", nearest: "." } : OUTSIDE;',
    ],
  ),
  mutation(
    "races",
    "check, then open",
    "what was opened is not looked at again",
    ["sandbox/src/disk/descriptor.ts", "relative: expectInside(boundary, location, place)", "relative: place.relative"],
    [
      "sandbox/src/disk/proc-verifier.ts",
      "if (readlinkSync(`${DESCRIPTORS}/${descriptor}`) === absolute) return",
      "if (descriptor >= 0) return",
    ],
  ),
  mutation(
    "races",
    "unverified names",
    "Glob reads directories without looking where their descriptors lead",
    [
      "sandbox/src/search/contents.ts",
      'import { closeSync, constants, existsSync } from "node:fs";',
      'import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";',
    ],
    [
      "sandbox/src/search/contents.ts",
      'openSeen(boundary, place, "directory") ?? openVerified(boundary, place, "directory");',
      "{ descriptor: openSync(place.absolute), relative: path, stats: undefined };\n  verified.stats = fstatSync(verified.descriptor);",
    ],
  ),
  mutation(
    "races",
    "a path at its word",
    "Glob looks a path up without asking the descriptor where it leads",
    [
      "sandbox/src/search/contents.ts",
      'import { closeSync, constants, existsSync } from "node:fs";',
      'import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";',
    ],
    [
      "sandbox/src/search/contents.ts",
      "const opened = boundary.verifier.openExactly(place, O_PATH | constants.O_NOFOLLOW);",
      "let opened;\n  try {\n    const descriptor = openSync(place.absolute, O_PATH | constants.O_NOFOLLOW);\n    opened = { descriptor, stats: fstatSync(descriptor) };\n  } catch {}",
    ],
  ),
  mutation(
    "races",
    "trusting paths",
    "Grep gives ripgrep descriptors that were not verified",
    [
      "grep/src/text/search-text.ts",
      'import { Buffer } from "node:buffer";',
      'import { Buffer } from "node:buffer";\nimport { closeSync, fstatSync, openSync, readSync } from "node:fs";',
    ],
    [
      "grep/src/text/search-text.ts",
      "const file = sandbox.open(path);\n  try {\n    const head",
      "const descriptor = openSync(path.absolute);\n  const size = fstatSync(descriptor).size;\n  const file = { path, size, version: {}, descriptor, isUnchanged: () => true, read: (target, at) => readSync(descriptor, target, 0, target.length, at), close: () => closeSync(descriptor) };\n  try {\n    const head",
    ],
  ),
  mutation("faults", "ripgrep left alone", "a search that ended leaves its ripgrep running", [
    "grep/src/engine/ripgrep/process.ts",
    "if (isKilled) return;",
    "if (child.pid !== undefined) return;",
  ]),
  mutation("aborts", "long turns in JavaScript", "re2js looks at 48 KB in one go, whatever the pattern", [
    "grep/src/engine/javascript.ts",
    "Math.floor(MAX_PIECE_WORK / size)",
    "MAX_PIECE_BYTES",
  ]),
  mutation("faults", "believed at once", "rows that ripgrep cannot have printed are taken for its own", [
    "grep/src/engine/ripgrep/rows.ts",
    'if (hit.lineStart <= lastLine) throw new EngineError("rg_failed");',
    "",
  ]),
  mutation("paths", "denied names", "listings show what the host denies", [
    "sandbox/src/disk/directory.ts",
    "return deny.isEmpty ? undefined :",
    "return deny.names.length >= 0 ? undefined :",
  ]),
  mutation("paths", "rules for the top only", "a deny rule without a slash is compared with whole paths", [
    "sandbox/src/rules/deny-rules.ts",
    'isAnchored: path.replace(/\\/+$/u, "").includes("/")',
    "isAnchored: true",
  ]),
  {
    ...mutation("exchanges", "a link at its word", "links are followed that may have been seen outside", [
      "sandbox/src/resolve/resolve-path.ts",
      "if (!followed.every((link) => isStillThere(boundary, link))) return false;",
      "",
    ]),
    sign: "back.txt",
  },
  {
    ...mutation(
      "exchanges",
      "links by their paths",
      "LS and Glob ask by path where a link leads",
      [
        "sandbox/src/resolve/leads-to-directory.ts",
        'import type { PathStatus } from "../disk/verifier.ts";',
        'import { lstatPath, type PathStatus } from "../disk/verifier.ts";',
      ],
      [
        "sandbox/src/resolve/leads-to-directory.ts",
        "verifier.look(paths.place(relative))?.result",
        "lstatPath(absolute)",
      ],
    ),
    sign: "a link inside could lead to",
  },
  mutation(
    "exchanges",
    "unconfirmed answers",
    "it passes on what a swapped path says of outside",
    [
      "sandbox/src/resolve/resolve-path.ts",
      "if (asked === undefined) return true;",
      "if (asked === undefined || asked.length >= 0) return true;",
    ],
    [
      "sandbox/src/disk/descriptor.ts",
      'if (reason === "outside" || reason === "denied" || errnoCode(cause) === "ENAMETOOLONG") return true;',
      "if (reason.length > 0) return true;",
    ],
  ),
  mutation("faults", "a spill through a link", "a link in the repository chooses where outputs go", [
    "sandbox/src/store/output-store.ts",
    "if (isInside && followed.length > 0) throw new LinkedDirectoryError();",
    "",
  ]),
  mutation(
    "hostile trees",
    "waiting for a pipe",
    "a pipe is opened as if it were a file",
    [
      "sandbox/src/disk/verifier.ts",
      "constants.O_NOFOLLOW | constants.O_NONBLOCK | refuseLinksOnMac()",
      "constants.O_NOFOLLOW | refuseLinksOnMac()",
    ],
    ["sandbox/src/disk/descriptor.ts", "expectKind(lstatSync(place.absolute, { bigint: true }), kind, place);", ""],
  ),
  mutation("hostile trees", "waiting for an ignore file", "a pipe called .gitignore is opened as if it were a file", [
    "sandbox/src/search/ignore-files.ts",
    "const FLAGS = constants.O_RDONLY | GUARDED;",
    "const FLAGS = constants.O_RDONLY | (GUARDED & 0);",
  ]),
  mutation(
    "changing trees",
    "a directory that went away",
    "a directory that vanishes under the walk counts as unreadable",
    [
      "sandbox/src/search/contents.ts",
      'path.includes(REPLACEMENT_CHARACTER) ? "unnameable" : "gone"',
      'path.includes(REPLACEMENT_CHARACTER) ? "unnameable" : "unreadable"',
    ],
  ),
  mutation("hostile trees", "raw names", "control characters in names reach the text", [
    "protocol/src/text.ts",
    "return value.replace(UNSAFE, escapeCharacter);",
    "return value;",
  ]),
  mutation("aborts", "open forever", "files are not closed", ["read/src/tool.ts", "file.close();", ""]),
  mutation("aborts", "unhandled rejection", "a failure is handled in one place and lost in another", [
    "protocol/src/abort.ts",
    "return await Promise.race([work(signal), late]);",
    "const working = work(signal); void working.then(() => undefined); return await Promise.race([working, late]);",
  ]),
  mutation("parameters", "throwing parameters", "parameters that cannot be read make the call reject", [
    "protocol/src/params/read.ts",
    "    // A proxy whose traps throw.\n    return { paramsInput: recorded(params) };",
    "    throw error;",
  ]),
  mutation("faults", "half a spill", "what a full disk cut short is left behind", [
    "sandbox/src/disk/new-file.ts",
    "await unlink(path).catch(() => undefined);",
    "",
  ]),
  mutation(
    "swaps",
    "a followed link",
    "a file is written by its path, wherever that leads by now",
    ["sandbox/src/write/write-step.ts", "renameSync, unlinkSync,", "renameSync, unlinkSync, writeFileSync,"],
    [
      "sandbox/src/write/write-step.ts",
      "      renameSync(file.path, path);\n",
      "      await new Promise((resolve) => setTimeout(resolve, 1));\n      writeFileSync(`${directory.path.absolute}/${place.target.name}`, bytes);\n",
    ],
  ),
  mutation("crashes", "renamed before it is on the disk", "a file gets its name before its content is safe", [
    "sandbox/src/write/temporary-file.ts",
    "    if (durable) await fsyncAsync(descriptor);\n    return file;\n",
    "    if (durable) setTimeout(() => void fsyncAsync(descriptor), 20);\n    return file;\n",
  ]),
  mutation("writing", "check, then write", "a file is replaced that changed since it was looked at", [
    "sandbox/src/write/write-step.ts",
    "stats?.isFile() !== true || !isSameVersion(versionOf(stats), expected)",
    "stats?.isFile() !== true",
  ]),
  mutation("writing", "the first of several", "Edit takes the first place where there are several", [
    "text/src/editing/match.ts",
    "for (const open of all) settle(open, await findExact(text, open, pacer));",
    "for (const open of all) settle(open, (await findExact(text, open, pacer)).slice(0, open.isForAll ? undefined : 1));",
  ]),
  mutation("writing", "encoded again", "an edited file is decoded and encoded as a whole", [
    "text/src/editing/splice.ts",
    "bytes: spliced,",
    "bytes: encoding.encode(encoding.decode(spliced)),",
  ]),
  mutation(
    "large edits",
    "compared to the end",
    "a text that begins alike again and again is compared at every place",
    ["text/src/editing/sequence.ts", "(wasted += wanted.length) > text.length", "(wasted += wanted.length) < 0"],
  ),
  mutation(
    "large edits",
    "an endless edit",
    "an edit makes a file of any size",
    ["text/src/editing/splice.ts", 'if (newChars > maxBytes) throw new SpliceError("too_large");', ""],
    ["text/src/editing/splice.ts", 'if (size > maxBytes) throw new SpliceError("too_large");', ""],
  ),
  mutation("writing", "a lost mode", "a file that is replaced loses its mode", [
    "sandbox/src/write/temporary-file.ts",
    "if (mode !== undefined) fchmodSync(descriptor, mode);",
    "if (mode !== undefined) fchmodSync(descriptor, 0o644);",
  ]),
  mutation("faults", "left behind", "a write that failed leaves its temporary file", [
    "sandbox/src/write/temporary-file.ts",
    "if (stats !== undefined) await directory.remove(name, stats);",
    "if (stats !== undefined && path === name) await directory.remove(name, stats);",
  ]),
  {
    ...mutation("crashes", "half a file", "a file is written under its own name", [
      "sandbox/src/write/write-step.ts",
      "const broken = brokenByRename(old, file.status());",
      'const broken = brokenByRename(old, file.status()) ?? "hard links";',
    ]),
    sign: HALF_A_FILE,
  },
  mutation("messages", "unread answers", "it reads on while the client leaves answers unread", [
    "mcp/src/stdio.ts",
    "while (calls >= MAX_CALLS || output.writableNeedDrain)",
    "while (calls >= MAX_CALLS)",
  ]),
  mutation("messages", "small messages only", "a message of a megabyte ends the connection", [
    "mcp/src/stdio.ts",
    "bytes > MAX_MESSAGE_BYTES",
    "bytes > 1_000_000",
  ]),
  {
    ...mutation("servers", "endless goodbye", "it waits for a server that never answers a goodbye", [
      "remote/src/http.ts",
      'AbortSignal.timeout(method === "DELETE" ? GOODBYE_MS : NOTICE_MS)',
      "AbortSignal.timeout(NOTICE_MS * GOODBYE_MS)",
    ]),
    sign: "close() did not end",
  },
  mutation("repositories", "a raw question", "a path is printed as it is where the user is asked", [
    "../apps/playground/src/cli/turn.ts",
    "Apply this change to '${escapeText(placesOf(change))}'?",
    "Apply this change to '${placesOf(change)}'?",
  ]),
  mutation("repositories", "git is asked", "git runs in a project, and with it whatever its settings name", [
    "../apps/playground/src/cli/turn.ts",
    "  conversation.ask(question);",
    '  process.getBuiltinModule("child_process").spawnSync("git", ["-C", process.argv[5] ?? "", "status"]);\n  conversation.ask(question);',
  ]),
];

function mutation(attack: string, name: string, what: string, ...edits: readonly Edit[]): Mutation {
  return { name, what, attack, edits };
}

// The sandbox
export { createSandbox, type ResolveOptions, type Sandbox, type SandboxOptions, type ToolOptions } from "./sandbox.ts";
export type { SafePath } from "./safe-path.ts";
export type { DirectoryEntry } from "./listing.ts";
export type { SandboxFile } from "./open.ts";
export type { Confirmation } from "./confirm.ts";
export type { ListingEnd, Search, SkipReason, TakeEntries } from "./search.ts";

// What can go wrong with a path, and a tool's words for it
export { SandboxError, type SandboxReason } from "./sandbox-error.ts";
export { explainPathErrors, type PathWords, type Wording } from "./path-words.ts";

// What tools share
export { GLOB_IGNORED_NAMES, LS_IGNORED_NAMES } from "./ignore.ts";
export { createPacer, type Pacer } from "./pacer.ts";
export { selectFirst } from "./select-first.ts";
export { spelledPath } from "./spelled-path.ts";
export { compileWildcard, type WildcardOptions } from "./wildcard.ts";

// Where a truncator puts what does not fit
export { createOutputStore, type OutputStoreOptions } from "./output-store.ts";

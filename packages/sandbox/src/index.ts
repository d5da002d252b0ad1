// The sandbox
export {
  createSandbox,
  type ResolveOptions,
  type Sandbox,
  type SandboxOptions,
  type SandboxRoot,
  type SandboxRules,
} from "./sandbox.ts";
export type { RootAccess, RootOptions } from "./roots.ts";
export type { Verification } from "./disk/verifier.ts";
export { defineFileTool, type FileTool, type FileToolDescription, type FileToolWork } from "./shared/file-tool.ts";
export { assertLimit, sandboxOf, type ToolOptions } from "./shared/tool-options.ts";
export type { SafePath } from "./names/safe-path.ts";
export type { EntryStatus, SandboxDirectory } from "./disk/directory.ts";
export type { DirectoryEntry } from "./disk/listing.ts";
export type { SandboxFile } from "./disk/open.ts";

// What tools know about a file's state
export {
  createFileVersions,
  isSameVersion,
  type FileVersion,
  type FileVersions,
  type KnownVersion,
} from "./versions.ts";

// Changing files
export type { AfterChange, AfterChangeAnswer, LineCounts, MadeChange, MadeFileChange } from "./write/after-change.ts";
export type {
  Confirm,
  ProposedChange,
  ProposedEntryChange,
  ProposedFileChange,
  ProposedPatch,
} from "./write/approve.ts";
export {
  createChanger,
  createFileChanger,
  type Change,
  type Changed,
  type ChangedFile,
  type ChangeFile,
  type ChangePlan,
  type ChangeRequest,
  type CurrentFile,
  type FileChange,
  type FilePlan,
  type FileRequest,
  type TargetRequest,
  type Unusable,
  type WrittenFile,
} from "./write/changer.ts";
export type { InPlaceReason, Recorder, StepResult } from "./write/change-set.ts";
export {
  changeDiscounts,
  changeNotes,
  changeParams,
  conflict,
  dryRun,
  expectedVersion,
  HOST_PARAMS,
  isInState,
  lineList,
  lineNumbers,
  MAX_LISTED_PLACES,
  stateOf,
  type FileState,
  type LineRange,
  type ToldChange,
} from "./write/change-words.ts";
export {
  createDiff,
  joinDiffs,
  type ByteChange,
  type DiffPreview,
  type DiffRequest,
  type FileDiff,
} from "./write/diff.ts";
export { createEntryChanger, type ChangeEntry, type EntryRequest, type FoundEntry } from "./write/entry-changer.ts";
export type { ChangeOptions } from "./write/placer.ts";

// Undoing changes
export { createHistory, type History, type HistoryChange, type HistoryOptions } from "./history/history.ts";
export type { HistoryFile, UndoData } from "./history/undo.ts";

// What tools call a path, what can go wrong with it, and a tool's words for that
export { SandboxError, type SandboxReason } from "./error.ts";
export { explainPathErrors, knownAs, type PathWords, type Wording } from "./shared/path-words.ts";
export {
  booleanParam,
  DIRECTORY_ALIASES,
  FILE_ALIASES,
  filePathParam,
  pathParam,
  integerParam,
  limitParam,
  offsetParam,
  patternParam,
} from "./shared/params.ts";

// Searching below a directory: patterns, rules and the walk
export { normalizePattern, parsePattern, type Alternative, type Segment } from "./search/pattern.ts";
export {
  createPosition,
  matchesPath,
  remaindersAt,
  type Position,
  type Remainder,
  type SearchRoot,
} from "./search/position.ts";
export { passedCountNotes, passedPartNotes, type ScopedPattern } from "./search/passed-parts.ts";
export { createIgnoreTest, createSearchedTest, type IgnoreTest, type SearchScope } from "./search/search-rules.ts";
export { walkFiles, type SkippedDirectory, type WalkedFile, type WalkOptions, type WalkReport } from "./search/walk.ts";
export { compareWalkOrder, createPageSelection, inOrder } from "./search/order.ts";

// What tools share
export { GLOB_IGNORED_NAMES, LS_IGNORED_NAMES } from "./names/ignored-names.ts";
export { SECRET_FILES } from "./rules/secret-files.ts";
export { createPacer, type Pacer } from "./pacer.ts";
export { createRecentMap, type RecentMap } from "./recent-map.ts";
export { joinRelative, spelledPath } from "./names/safe-path.ts";
export { compileWildcard, type WildcardOptions } from "./names/wildcard.ts";

// Where a truncator puts what does not fit
export { createOutputStore, type OutputStoreOptions } from "./store/output-store.ts";

// The sandbox
export { createSandbox, type Sandbox, type SandboxOptions, type SandboxRules } from "./sandbox.ts";
export type { RootAccess, RootOptions } from "./roots.ts";
export type { DirectoryEntry, Verification } from "./disk/verifier.ts";
export { defineFileTool } from "./shared/file-tool.ts";
export { assertLimit, sandboxOf, type ToolOptions } from "./shared/tool-options.ts";
export type { SafePath } from "./names/safe-path.ts";
export type { SandboxDirectory } from "./disk/directory.ts";
export type { SandboxFile } from "./disk/open.ts";

// What tools know about a file's state
export { createFileVersions, createRecentMap, isSameVersion, type FileVersion, type FileVersions } from "./versions.ts";

// Changing files
export type { AfterChange, AfterChangeAnswer, MadeChange, MadeFileChange } from "./write/after-change.ts";
export type { Confirm, ProposedChange } from "./write/approve.ts";
export { createChanger, createFileChanger, type TargetRequest, type Unusable } from "./write/changer.ts";
export type { ChangePlan, CurrentFile, FileChange, FilePlan } from "./write/changer.ts";
export type { InPlaceReason, Recorder, StepResult } from "./write/change-set.ts";
export { changeDiscounts, changeNotes, changeParams, conflict, directoryNotes, dryRun } from "./write/change-words.ts";
export { HOST_PARAMS, expectedVersion, isInState, stateOf, type FileState } from "./write/change-words.ts";
export { lineList, lineNumbers, MAX_LISTED_PLACES, type LineRange } from "./write/change-words.ts";
export { createDiff, joinDiffs } from "./write/diff.ts";
export type { ByteChange, DiffPreview, DiffRequest, FileDiff } from "./write/diff.ts";
export { createEntryChanger, type EntryRequest, type FoundEntry } from "./write/entry-changer.ts";
export type { ChangeOptions } from "./write/placer.ts";

// Undoing changes
export { createHistory, type History, type HistoryChange, type HistoryOptions } from "./history/history.ts";
export type { HistoryFile, UndoData } from "./history/undo.ts";

// What tools call a path, what can go wrong with it, and a tool's words for that
export { SandboxError, type SandboxReason } from "./error.ts";
export {
  booleanParam,
  DIRECTORY_ALIASES,
  entryChangeWords,
  explainPathErrors,
  FILE_ALIASES,
  fileChangeWords,
  filePathParam,
  integerParam,
  knownAs,
  limitParam,
  offsetParam,
  pathParam,
  patternParam,
  type PathWords,
} from "./shared/path-words.ts";

// Searching below a directory: patterns, rules and the walk
export { normalizePattern, parsePattern } from "./search/pattern.ts";
export { createPosition, matchesPath, remaindersAt, type Remainder } from "./search/position.ts";
export { passedCountNotes, passedPartNotes } from "./search/passed-parts.ts";
export { createIgnoreTest, createSearchedTest } from "./search/search-rules.ts";
export { walkFiles, type WalkOptions, type WalkReport } from "./search/walk.ts";
export { compareWalkOrder, createPageSelection, inOrder } from "./search/order.ts";

// What tools share
export { GLOB_IGNORED_NAMES, LS_IGNORED_NAMES } from "./names/ignored-names.ts";
export { SECRET_FILES } from "./rules/deny-rules.ts";
export { createPacer, type Pacer } from "./pacer.ts";
export { joinRelative, spelledPath } from "./names/safe-path.ts";
export { compileWildcard } from "./names/wildcard.ts";

// Where a truncator puts what does not fit
export { createOutputStore, type OutputStoreOptions } from "./store/output-store.ts";

/** Directories that LS leaves out unless asked for hidden entries. */
export const LS_IGNORED_NAMES: ReadonlySet<string> = new Set(
  ".git .hg .svn __pycache__ node_modules target build dist .idea .vscode .DS_Store venv .venv".split(" "),
);

/** Directories that Glob does not enter unless asked for ignored ones. */
export const GLOB_IGNORED_NAMES: ReadonlySet<string> = new Set([
  ...LS_IGNORED_NAMES,
  ...".mypy_cache .pytest_cache .ruff_cache .tox .cache site-packages".split(" "),
]);

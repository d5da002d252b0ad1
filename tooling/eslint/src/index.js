// @ts-check

/** Globals that Node has and a browser lacks. */
const NODE_GLOBALS = [
  "Buffer",
  "process",
  "global",
  "__dirname",
  "__filename",
  "require",
  "module",
  "setImmediate",
  "clearImmediate",
];

const DISK_MODULES = [
  "fs",
  "node:fs",
  "fs/promises",
  "node:fs/promises",
  "path",
  "node:path",
  "path/posix",
  "node:path/posix",
  "path/win32",
  "node:path/win32",
];

/**
 * Law 1: protocol is pure. It imports no Node module and uses no Node global, so that it runs in a browser.
 *
 * @type {import("eslint").Linter.Config[]}
 */
export const protocolIsPure = [
  {
    name: "fstools/protocol-is-pure",
    files: ["packages/protocol/src/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^node:", message: "protocol is pure: no node: module." }] },
      ],
      "no-restricted-globals": [
        "error",
        ...NODE_GLOBALS.map((name) => ({ name, message: "protocol is pure: no Node global." })),
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "ImportExpression[source.value=/^node:/]", message: "protocol is pure: no node: module." },
      ],
    },
  },
];

/**
 * Law 2: only sandbox touches the disk. Nothing else that is published imports the file system or path modules.
 *
 * @type {import("eslint").Linter.Config[]}
 */
export const onlySandboxTouchesTheDisk = [
  {
    name: "fstools/only-sandbox-touches-the-disk",
    files: ["packages/*/src/**/*.ts"],
    ignores: ["packages/sandbox/src/**", "packages/protocol/src/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: DISK_MODULES.map((name) => ({ name, message: "Only @fstools/sandbox touches the disk." })) },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "ImportExpression[source.value=/^(node:)?(fs|path)(\\u002F|$)/]",
          message: "Only @fstools/sandbox touches the disk.",
        },
      ],
    },
  },
];

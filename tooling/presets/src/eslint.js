// @ts-check
import { builtinModules } from "node:module";

const NODE_GLOBALS = "Buffer process global __dirname __filename require module setImmediate clearImmediate".split(" ");

/** Every Node module by its bare name, with what is below it; `node:` names are always Node's. */
const NODE_MODULES = `^(node:.*|(${builtinModules.filter((name) => !/^_|\//u.test(name)).join("|")})(\\u002F.*)?)$`;
const DISK_MODULES = "^(node:)?(fs|path)(\\u002F.*)?$";

// Forbids modules in every form that loads one.
/** @param {string} regex @param {string} message @returns {import("eslint").Linter.RulesRecord} */
function withoutModules(regex, message) {
  return {
    "no-restricted-imports": ["error", { patterns: [{ regex, message }] }],
    "no-restricted-syntax": ["error", { selector: `ImportExpression[source.value=/${regex}/]`, message }],
  };
}

// Law 1: protocol is pure. It imports no Node module and uses no Node global, so that it runs in a browser.
/** @type {import("eslint").Linter.Config[]} */
export const protocolIsPure = [
  {
    name: "fstools/protocol-is-pure",
    files: ["packages/protocol/src/**/*.ts"],
    rules: {
      ...withoutModules(NODE_MODULES, "protocol is pure: no Node module."),
      "no-restricted-globals": [
        "error",
        ...NODE_GLOBALS.map((name) => ({ name, message: "protocol is pure: no Node global." })),
      ],
    },
  },
];

// Law 2: only sandbox touches the disk. Nothing else that is published imports the file system or path modules.
/** @type {import("eslint").Linter.Config[]} */
export const onlySandboxTouchesTheDisk = [
  {
    name: "fstools/only-sandbox-touches-the-disk",
    files: ["packages/*/src/**/*.ts"],
    ignores: ["packages/sandbox/src/**", "packages/protocol/src/**"],
    rules: withoutModules(DISK_MODULES, "Only @fstools/sandbox touches the disk."),
  },
];

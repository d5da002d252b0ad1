// @ts-check
import eslint from "@eslint/js";
import { onlySandboxTouchesTheDisk, protocolIsPure } from "@fstools/presets/eslint";
import prettier from "eslint-config-prettier";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

// A member that is written by a pattern, `[a.b] = [1]`.
const WRITTEN_MEMBERS = [
  "ArrayPattern > MemberExpression",
  "ObjectPattern > Property > MemberExpression.value",
  "AssignmentPattern > MemberExpression.left",
  "RestElement > MemberExpression",
];

/** @type {import("eslint").Rule.RuleModule} */
const noMembersInPatterns = {
  create: (context) => ({
    [WRITTEN_MEMBERS.join(",")]: (/** @type {import("eslint").Rule.Node} */ node) => {
      context.report({ node, message: "A pattern must not write members: bundlers with SWC break it." });
    },
  }),
};

export default defineConfig(
  {
    ignores: [
      "**/dist/**",
      "**/coverage/**",
      "**/.examples/**",
      "**/.programs-*/**",
      "**/.cache/**",
      "**/.turbo/**",
      "**/tool-output/**",
      "docs/api/**",
      // The project that the playground copies for its users; nobody compiles it.
      "apps/playground/demo/**",
    ],
  },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    // One program for everything: with one for each package most types would be worked out many times.
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "apps/playground/src/web/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      // Numbers in text are the everyday case of a tool that counts things.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-exports": "error",
      // Slow, and the compiler does it: there are no enums, and nothing unused.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      "@typescript-eslint/no-unused-vars": "off",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    name: "fstools/no-casts",
    files: ["packages/*/src/**/*.ts"],
    rules: { "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }] },
  },
  {
    // SWC's minifier, in Next 16.4 and older, puts the first value in the place of such a member: `[!1] = [x]`, which does
    // not parse (swc #12397). A bundler meets our code in its users' applications.
    name: "fstools/no-members-in-patterns",
    files: ["packages/*/src/**/*.ts"],
    plugins: { fstools: { rules: { "no-members-in-patterns": noMembersInPatterns } } },
    rules: { "fstools/no-members-in-patterns": "error" },
  },
  ...protocolIsPure,
  ...onlySandboxTouchesTheDisk,
  {
    files: ["**/*.js", "**/*.mjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        console: "readonly",
        process: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
        Buffer: "readonly",
      },
    },
  },
  {
    files: ["apps/**", "examples/**", "tooling/**", "**/test/**"],
    rules: { "no-console": "off" },
  },
  {
    // Rules that ask for types take half of the time; of tests only this one matters: what is not awaited cannot fail.
    files: ["**/test/**/*.ts"],
    rules: { ...tseslint.configs.disableTypeChecked.rules, "@typescript-eslint/no-floating-promises": "error" },
  },
  {
    files: ["apps/**", "tooling/**/*.ts"],
    // Handlers of events and ends of effects on one line.
    rules: { "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }] },
  },
  prettier,
);

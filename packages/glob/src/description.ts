/** What the model reads about Glob. */
export const GLOB_DESCRIPTION = `Find files using glob patterns (relative to the search root).

Use it when you know something about a file's name or place, but not its path. It looks at names, not at contents, and reports files, not directories. To see what one directory holds use LS, to see what is in a file use Read.

Parameters:
- pattern: required, relative to path. "*" and "?" stay within one name, "**" as a whole segment spans directories ("**/*.ts" also finds "a.ts"), "[a-z]" and "[!a]" are one character, "{a,b}" is a choice. Every other character is itself, and a segment that exactly names an entry finds it: "app/(auth)/[id]/page.tsx" works as written. Case matters.
- path: the directory to search, relative to the project root or absolute inside it. Default ".".
- limit: how many matches to return, 1 to 200. Default 50.
- include_hidden: true also finds what starts with ".", such as .github or .env. Default false.
- include_ignored: true also searches node_modules, dist, build, .git and the like. Default false.

Paths come in a fixed order, relative to the project root, and can be passed to Read and LS as they are.

Examples:
- {"pattern": "**/*.test.ts", "path": "packages/core"} finds the tests of one package.
- {"pattern": "{src,lib}/**/config.{js,ts,json}"} finds configuration files in two directories.

If status is "partial", the text says why. "[Truncated: …]": there are more matches, so narrow pattern or path, or raise limit. "[Partial: …]": the search stopped early, so repeat it with a path further down. If nothing is found, try a wider pattern ("**/*name*"), or set include_hidden or include_ignored where the text says so.`;

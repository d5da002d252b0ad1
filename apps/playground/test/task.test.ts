import { describe, expect, it } from "vitest";
import { taskOf, type Task } from "../src/offline/question/task.ts";

const NAMED_README = "**/*{readme,Readme,README}*";
const CACHE_TEST = "**/*{cach,Cach,CACH}*.{test,spec}.*";

describe("taskOf", () => {
  it.each<[string, Task]>([
    ["What is in src?", { kind: "list", path: "src" }],
    ["what's in the src/web folder?", { kind: "list", path: "src/web" }],
    ["List packages", { kind: "list", path: "packages" }],
    ["ls", { kind: "list", path: "." }],
    ["What files are in this project?", { kind: "list", path: "." }],
    ["What is in README.md?", { kind: "read", path: "README.md", lines: { kind: "page" } }],
    ["Read README.md", { kind: "read", path: "README.md", lines: { kind: "page" } }],
    ["read `src/a.ts` lines 3-9", { kind: "read", path: "src/a.ts", lines: { kind: "from", first: 3, last: 9 } }],
    ["show me src/a.ts:3-9", { kind: "read", path: "src/a.ts", lines: { kind: "from", first: 3, last: 9 } }],
    ["open src/a.ts#L7", { kind: "read", path: "src/a.ts", lines: { kind: "from", first: 7, last: 7 } }],
    ["read a.ts from line 40", { kind: "read", path: "a.ts", lines: { kind: "from", first: 40, last: undefined } }],
    ["first 5 lines of a.ts", { kind: "read", path: "a.ts", lines: { kind: "from", first: 1, last: 5 } }],
    ["the last 3 lines of a.ts, please", { kind: "read", path: "a.ts", lines: { kind: "last", count: 3 } }],
    ["Read the whole of a.ts.", { kind: "read", path: "a.ts", lines: { kind: "whole" } }],
    ["Read app/(auth)/[id]/page.tsx", { kind: "read", path: "app/(auth)/[id]/page.tsx", lines: { kind: "page" } }],
    ["How many lines does src/a.ts have?", { kind: "count-lines", path: "src/a.ts" }],
    ["Find **/*.md", { kind: "find", pattern: "**/*.md", within: ".", subject: "**/*.md" }],
    ["Find *.test.ts in packages", { kind: "find", pattern: "**/*.test.ts", within: "packages", subject: "*.test.ts" }],
    ["find config.json", { kind: "find", pattern: "**/config.json", within: ".", subject: "config.json" }],
    ["Where is config.json?", { kind: "find", pattern: "**/config.json", within: ".", subject: "config.json" }],
    ["find all README files", { kind: "find", pattern: NAMED_README, within: ".", subject: "readme" }],
    ["Is there a README in docs?", { kind: "find", pattern: NAMED_README, within: "docs", subject: "readme" }],
    ["How many TypeScript files are there?", { kind: "count", include: "*.{ts,tsx,mts,cts}", within: "." }],
    ["Where are the tests?", { kind: "find", pattern: "**/*.{test,spec}.*", within: ".", subject: "*.{test,spec}.*" }],
    ["Is there a test for the cache?", { kind: "find", pattern: CACHE_TEST, within: ".", subject: "cache" }],
    ["List everything under docs", { kind: "list", path: "docs" }],
    ["Find all markdown files", { kind: "find", pattern: "**/*.md", within: ".", subject: "*.md" }],
    ["Where is readConfig defined?", { kind: "locate", symbol: "readConfig" }],
    ["where is `parse` declared", { kind: "locate", symbol: "parse" }],
    ["find MAX_BYTES", { kind: "locate", symbol: "MAX_BYTES" }],
    ["read packages", { kind: "read", path: "packages", lines: { kind: "page" } }],
    ["What does the sandbox package do?", { kind: "summarise", path: "sandbox" }],
    ["Summarise src/a.ts", { kind: "summarise", path: "src/a.ts" }],
    ["What is this project?", { kind: "summarise", path: "." }],
    ["Give me an overview of the repository", { kind: "summarise", path: "." }],
    ["How does the cache evict entries?", { kind: "explain", keywords: ["cache", "evict", "entries"], guides: false }],
    ["How do I build it?", { kind: "explain", keywords: ["build"], guides: true }],
    ["Which files import zod?", { kind: "mention", name: "zod", within: "." }],
    ["What files mention `maxBytes`?", { kind: "mention", name: "maxBytes", within: "." }],
    ["Which files mention TODO in src/web?", { kind: "mention", name: "TODO", within: "src/web" }],
    ["How many markdown files are in docs?", { kind: "count", include: "*.md", within: "docs" }],
    ["How many files are there?", { kind: "count", include: "*", within: "." }],
    ["How many *.css files are in src/web?", { kind: "count", include: "*.css", within: "src/web" }],
    ["Compare packages/ls and packages/glob", { kind: "compare", first: "packages/ls", second: "packages/glob" }],
    ["What is the difference between src and test?", { kind: "compare", first: "src", second: "test" }],
    ["Which files were changed last?", { kind: "recent", within: "." }],
    ["Delete README.md", { kind: "beyond", why: "change" }],
    ["Please run the tests", { kind: "beyond", why: "run" }],
    ["What is the largest file?", { kind: "largest", include: "*", within: "." }],
    ["What is the biggest markdown file in docs?", { kind: "largest", include: "*.md", within: "docs" }],
    ["Which file has the most lines in src?", { kind: "largest", include: "*", within: "src" }],
    ["Show the file sizes", { kind: "beyond", why: "size" }],
    ["How big is src/a.ts?", { kind: "count-lines", path: "src/a.ts" }],
    ["How large is this project?", { kind: "count", include: "*", within: "." }],
    ["Who wrote src/a.ts?", { kind: "beyond", why: "history" }],
    ["What is the weather in Paris?", { kind: "beyond", why: "world" }],
    ["What's the time?", { kind: "beyond", why: "world" }],
    ["Rename `a` to `b`", { kind: "rename", from: "a", to: "b", within: undefined, everywhere: true }],
    [
      "please rename the function oldName to newName in src/a.ts.",
      { kind: "rename", from: "oldName", to: "newName", within: "src/a.ts", everywhere: true },
    ],
    [
      "Change 0.6 to 0.75 in src/prices.ts",
      { kind: "replace", from: "0.6", to: "0.75", within: "src/prices.ts", everywhere: false },
    ],
    [
      'Replace every "two words" with "three more words" in a.md',
      { kind: "replace", from: "two words", to: "three more words", within: "a.md", everywhere: true },
    ],
    ["Create notes.md with 'Buy apples.'", { kind: "create", path: "notes.md", content: "Buy apples." }],
    ["Why is Read fast?", { kind: "explain", keywords: ["read", "fast"], guides: false }],
    ["Write a summary of README.md", { kind: "summarise", path: "README.md" }],
    ["这个项目是做什么的？", { kind: "about" }],
    ["continue", { kind: "continue" }],
    ["Next page!", { kind: "continue" }],
    ["Hello", { kind: "about" }],
    ["What can you do?", { kind: "about" }],
    ["", { kind: "about" }],
  ])("takes %j for %j", (question, task) => {
    expect(taskOf(question)).toEqual(task);
  });

  it("takes 'it' for the file that was last read", () => {
    expect(taskOf("Summarise it", "src/a.ts")).toEqual({ kind: "summarise", path: "src/a.ts" });
  });
});

/** Why a question is beyond rules and tools. */
export type Beyond = "change" | "run" | "size" | "history" | "world";

const RULES: readonly (readonly [Beyond, RegExp])[] = [
  ["run", /^(?:(?:please|can you|could you)\s+)*(?:run|execute|install|build|deploy|compile|start|test)\b/iu],
  [
    "change",
    /^(?:(?:please|can you|could you)\s+)*(?:add|change|commit|create|delete|edit|fix|insert|modify|move|refactor|remove|rename|replace|update|write)\b/iu,
  ],
  ["size", /\bsmallest (?:\w+ )?files?\b|\bfile sizes\b|\bsizes? of (?:all|every)\b/iu],
  ["history", /\bwho (?:wrote|changed|made|committed|added|owns)\b|\bgit (?:log|blame|history)\b|\blast commit\b/iu],
  [
    "world",
    /\b(?:weather|forecast|stock price|news)\b.*\b(?:in|today|tomorrow|for|of)\b|\btell me a joke\b|\bwhat(?:'s|’s| is) the (?:weather|time|date|news)\b/iu,
  ],
];

/** Says that a question can't be answered by looking into files, and why; undefined where one can try. */
export function beyond(text: string): Beyond | undefined {
  return RULES.find(([, wording]) => wording.test(text))?.[0];
}

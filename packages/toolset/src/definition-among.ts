import type { ToolDefinition } from "@fstools/protocol";
import type { ToolName } from "./tool-names.ts";

/** The names by which descriptions speak of tools. */
const SPOKEN_OF = ["LS", "Glob", "Grep", "Read", "Edit", "Write"];

const SENTENCE_END = /(?<=[.!?])\s+/u;
const CLAUSE_END = /(?<=[,;:])\s+/u;

/** A tool's definition, which speaks of no tool that is not among these. */
export function definitionAmong(definition: ToolDefinition, names: readonly ToolName[]): ToolDefinition {
  const { name, description, inputSchema, effect, aliases } = definition;
  return {
    name,
    description: describeAmong(description, names),
    inputSchema,
    get jsonSchema() {
      return definition.jsonSchema;
    },
    effect,
    aliases,
  };
}

/** A tool's description without what it says about tools that are not among these: a model would look for them. */
export function describeAmong(description: string, names: readonly ToolName[]): string {
  const absent = SPOKEN_OF.filter((name) => !names.some((present) => present === name));
  const mentions = absent.map((name) => new RegExp(`\\b${name}\\b`, "u"));
  const isAbout = (text: string): boolean => mentions.some((mention) => mention.test(text));
  if (!isAbout(description)) return description;
  return description
    .split(SENTENCE_END)
    .flatMap((sentence) => (isAbout(sentence) ? withoutClauses(sentence, isAbout) : [sentence]))
    .join(" ");
}

/** What is left of a sentence; nothing if its first clause goes, since the others depend on it. */
function withoutClauses(sentence: string, isGone: (clause: string) => boolean): string[] {
  const [first = "", ...others] = sentence.split(CLAUSE_END);
  if (isGone(first)) return [];
  const kept = [first, ...others.filter((clause) => !isGone(clause))].join(" ");
  return [kept.replace(/[,;:]$/u, ".")];
}

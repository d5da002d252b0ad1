import type { AgentTools } from "../agent-tool.ts";
import { createFile, insertText, replaceText, view } from "./commands.ts";
import { createTrainedTool, namedFile, type TrainedCalls } from "./trained-tool.ts";

/** How the text editor is offered. */
export interface TextEditorOptions {
  /** How many characters of a file one answer shows. @default 200000 */
  readonly maxCharacters?: number;
}

/** Anthropic's text editor, for `messages.create`, `toolRunner` and `handleToolUses` as it is. */
export interface TextEditor extends TrainedCalls {
  readonly type: "text_editor_20250728";
  readonly name: "str_replace_based_edit_tool";
  readonly max_characters?: number;
}

const missing = "Error: File not found";
const line = (number: number, text: string) => `${number}: ${text}`;
const REPLACEMENT = {
  done: () => "Successfully replaced text at exactly one location.",
  noMatch: () => "Error: No match found for replacement. Please check your text and try again.",
  manyMatches: (_text: string, count: string) =>
    `Error: Found ${count} matches for replacement text. Please provide more context to make a unique match.`,
  missing,
  line,
};

/** Makes Anthropic's text editor out of LS, Read, Edit and Write of a toolset. @throws TypeError if one is missing */
export function createTextEditor(toolset: AgentTools, { maxCharacters }: TextEditorOptions = {}): TextEditor {
  const identity = { type: "text_editor_20250728", name: "str_replace_based_edit_tool" } as const;
  const definition = maxCharacters === undefined ? identity : { ...identity, max_characters: maxCharacters };
  return createTrainedTool(definition, {
    toolset,
    needs: ["LS", "Read", "Edit", "Write"],
    commands: {
      view: async ({ path, view_range: range }, call) =>
        view(call, { ...namedFile(path), range, maxCharacters, line, missing }),
      create: async ({ path, file_text: content }, call) => createFile(call, namedFile(path), content),
      str_replace: async ({ path, ...texts }, call) => replaceText(call, namedFile(path), texts, REPLACEMENT),
      insert: async ({ path, ...insertion }, call) => insertText(call, namedFile(path), insertion, missing),
    },
  });
}

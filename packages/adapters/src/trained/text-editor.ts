import type { AgentTools } from "../agent-tool.ts";
import { type AnthropicToolFields, createTrainedTool, type Sentences, type TrainedCalls } from "./anthropic-tool.ts";
import { namedFile } from "./refusal.ts";
import { createFile, insertText, replaceText } from "./edit-commands.ts";
import { view } from "./view.ts";

/** How the text editor is offered. */
export interface TextEditorOptions {
  /**
   * How many characters of a file one answer shows.
   * @default 200000
   */
  readonly maxCharacters?: number;
  /** Passed on as they are. */
  readonly fields?: AnthropicToolFields;
}

/** Anthropic's text editor, for `messages.create`, `toolRunner` and `handleToolUses` as it is. */
export interface TextEditor extends AnthropicToolFields, TrainedCalls {
  type: "text_editor_20250728";
  name: "str_replace_based_edit_tool";
  max_characters?: number;
}

const MISSING = "Error: File not found";
const SENTENCES: Sentences = {
  noMatch: () => "Error: No match found for replacement. Please check your text and try again.",
  manyMatches: (_text, count) =>
    `Error: Found ${count} matches for replacement text. Please provide more context to make a unique match.`,
  replaced: () => "Successfully replaced text at exactly one location.",
  line: ({ number, text }) => `${number}: ${text}`,
  heading: () => [],
};

/**
 * Makes Anthropic's text editor out of LS, Read, Edit and Write of a toolset, whose rules all hold.
 * @throws TypeError if one of them is missing
 */
export function createTextEditor(toolset: AgentTools, options: TextEditorOptions = {}): TextEditor {
  const { maxCharacters, fields } = options;
  return createTrainedTool<Omit<TextEditor, keyof TrainedCalls>>({
    definition: {
      ...fields,
      type: "text_editor_20250728",
      name: "str_replace_based_edit_tool",
      ...(maxCharacters === undefined ? {} : { max_characters: maxCharacters }),
    },
    toolset,
    needs: ["LS", "Read", "Edit", "Write"],
    commands: {
      view: ({ path, view_range: range }, call) =>
        view(call, { ...namedFile(path), range, maxCharacters }, SENTENCES, MISSING),
      create: ({ path, file_text: content }, call) => createFile(call, namedFile(path), content),
      str_replace: ({ path, ...texts }, call) => replaceText(call, namedFile(path), texts, SENTENCES, MISSING),
      insert: ({ path, ...insertion }, call) => insertText(call, namedFile(path), insertion, MISSING),
    },
  });
}

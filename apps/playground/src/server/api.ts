import type { ToolResponse } from "@fstools/protocol";

/** What the page learns about a project. */
export interface Info {
  readonly project: { readonly id: string; readonly name: string; readonly isDemo: boolean };
  /** All that can be shown; those of the demo say what they show. */
  readonly projects: readonly { readonly id: string; readonly name: string; readonly shows?: string }[];
  readonly model: string;
  readonly tools: readonly ToolInfo[];
  /** What to ask first, by the strength that each question shows. */
  readonly questions: Readonly<Record<string, string>>;
}

/** A tool as a model sees it, and what it costs in every request. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: object;
  readonly effect: "read" | "write";
  readonly tokens: number;
}

/** An answer of the tool bench. */
export interface ToolResult {
  readonly response: ToolResponse<object>;
  /** Of what would enter the context, by its form. */
  readonly tokens: { readonly view: number; readonly document: number; readonly envelope: number };
  /** The change in the history that it made. */
  readonly changeId?: string | undefined;
}

import {
  checkResponse,
  type ErrorCode,
  escapeText,
  isErrorCode,
  type ToolCategory,
  type ToolResponse,
  toolResponseSchema,
  z,
} from "@fstools/protocol";
import { CallFailure } from "./failure.ts";

/** More than any tool answers with; a hostile answer must not overwhelm a program that walks it. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 32;

/** What is wrong with a server that was started for models only. */
export const NO_ENVELOPES = "The server sends no envelopes. Start it with --structured.";

const resultSchema = z.object({ structuredContent: z.unknown().optional() });

/** An envelope with one of the standard codes, as every tool of this package answers. */
export type Answer = ToolResponse<Record<string, unknown>, ErrorCode>;

/** What an answer may hold. */
export interface Expected {
  readonly category: ToolCategory;
  /** The tools that the answer may name for the next call. */
  readonly nextTools: readonly string[];
}

/**
 * Takes an envelope from a server that is not trusted: it keeps every rule of the protocol, is of a reasonable size, its
 * texts hold no control characters, and it proposes no call that a host could not make as lightly as this one.
 * @throws CallFailure
 */
export function receiveEnvelope(result: unknown, { category, nextTools }: Expected): Answer {
  const { structuredContent } = resultSchema.safeParse(result).data ?? {};
  if (structuredContent === undefined) throw new CallFailure("invalid", NO_ENVELOPES);
  if (!isBounded(structuredContent)) throw new CallFailure("invalid", "The server's answer is too large.");
  if (!isEnvelope(structuredContent)) throw new CallFailure("invalid", "The server's answer is not an envelope.");
  const [violation] = checkResponse(structuredContent, { category }).filter(({ severity }) => severity === "error");
  if (violation !== undefined) {
    throw new CallFailure("invalid", `The server's answer breaks the rule ${violation.rule}.`);
  }
  return withSafeText(withSafeNextCall(structuredContent, nextTools));
}

function isEnvelope(value: unknown): value is Answer {
  const { data: envelope } = toolResponseSchema.safeParse(value);
  return envelope !== undefined && (envelope.status !== "error" || isErrorCode(envelope.error.code));
}

function withSafeNextCall(envelope: Answer, nextTools: readonly string[]): Answer {
  const { next_call: next, ...context } = envelope.context;
  return next === undefined || nextTools.includes(next.tool) ? envelope : { ...envelope, context };
}

function withSafeText(envelope: Answer): Answer {
  const text = escapeLines(envelope.text);
  if (envelope.status !== "error") return { ...envelope, text };
  return { ...envelope, text, error: { ...envelope.error, message: escapeText(envelope.error.message) } };
}

// Line breaks are the text's own, and a line of a file may hold tabs.
function escapeLines(text: string): string {
  return text.replaceAll(/[^\n\t]+/gu, escapeText);
}

/** Without recursion: a server could send a million brackets. */
function isBounded(root: unknown): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    values += 1;
    const { value, depth } = next;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
    if (typeof value === "object" && value !== null) {
      for (const item of Object.values(value)) open.push({ value: item, depth: depth + 1 });
    }
  }
  return true;
}

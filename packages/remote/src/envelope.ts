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

/** More than any tool answers with; a hostile answer must not overwhelm a program that walks it. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 32;

const resultSchema = z.object({ structuredContent: z.unknown().optional() });

/** An envelope with one of the standard codes, as every tool of this package answers. */
export type Answer = ToolResponse<Record<string, unknown>, ErrorCode>;

/** An answer of the server, or why it is not one. */
export type ReceivedAnswer = { readonly envelope: Answer } | { readonly problem: string };

/**
 * Takes an envelope from a server that is not trusted: it keeps every rule of the protocol, is of a reasonable size, and its
 * texts hold no control characters.
 */
export function receiveEnvelope(result: unknown, category: ToolCategory): ReceivedAnswer {
  const { structuredContent } = resultSchema.safeParse(result).data ?? {};
  if (structuredContent === undefined) {
    return { problem: "It sends no envelopes. Start it with --structured." };
  }
  if (!isBounded(structuredContent)) return { problem: "Its answer is too large." };
  if (!isEnvelope(structuredContent)) return { problem: "Its answer is not an envelope." };
  const [violation] = checkResponse(structuredContent, { category }).filter(({ severity }) => severity === "error");
  if (violation !== undefined) return { problem: `Its answer breaks the rule ${violation.rule}.` };
  return { envelope: withSafeText(structuredContent) };
}

function isEnvelope(value: unknown): value is Answer {
  const { data: envelope } = toolResponseSchema.safeParse(value);
  return envelope !== undefined && (envelope.status !== "error" || isErrorCode(envelope.error.code));
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

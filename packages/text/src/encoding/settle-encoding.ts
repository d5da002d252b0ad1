import { TextError } from "../error.ts";
import { isUtf16, markedEncoding } from "./byte-order-mark.ts";
import { fileKind } from "./file-kind.ts";
import { encodingNamed } from "./named-encoding.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** What is known about a file's encoding before it is read. */
export interface EncodingRequest {
  /** The caller's choice; undefined to test for UTF-8. */
  readonly encoding: string | undefined;
  /** Tried in this order on what is not UTF-8. */
  readonly fallbackEncodings: readonly string[];
}

/** A text whose encoding is settled. */
export interface SettledText<Found> {
  /** The encoding by its name, with how bad bytes were handled. */
  readonly encodingName: string;
  /** Set if the file is not the UTF-8 that it should be: "replace", or the encoding that was used instead. */
  readonly fallback?: string;
  readonly encoding: TextEncoding;
  readonly found: Found;
}

/** Reads a file in an encoding; may stop at the first flaw if asked to. */
export type Attempt<Found> = (encoding: TextEncoding, stopAtFlaw: boolean) => Found | Promise<Found>;

const PDF = "%PDF-";

/** Settles a file's encoding by its first bytes, and by trying. @throws TextError "binary" */
export async function settleEncoding<Found extends { readonly isFlawless: boolean }>(
  head: Uint8Array,
  request: EncodingRequest,
  attempt: Attempt<Found>,
): Promise<SettledText<Found>> {
  const readAs = async (name: string, stopAtFlaw = false): Promise<SettledText<Found>> => {
    const encoding = await encodingNamed(name, head);
    return { encodingName: name, encoding, found: await attempt(encoding, stopAtFlaw) };
  };
  if (request.encoding !== undefined) return readAs(request.encoding);
  const marked = markedEncoding(head);
  if (isUtf16(marked)) return readAs(marked);
  if (isNotText(head)) {
    throw new TextError({ reason: "binary", kind: fileKind(head), markedEncoding: marked });
  }
  const text = await readAs(marked ?? "utf-8");
  if (text.found.isFlawless) return text;
  for (const fallback of request.fallbackEncodings) {
    const other = await readAs(fallback, true);
    if (other.found.isFlawless) return { ...other, fallback };
  }
  return asReplaced(text);
}

/** A text in UTF-8 some of whose bytes are shown as U+FFFD. */
export function asReplaced<Found>(text: SettledText<Found>): SettledText<Found> {
  return { ...text, encodingName: "utf-8 (replace)", fallback: "replace" };
}

/** Many PDF files begin with text, but none is meant to be read as text. */
function isNotText(head: Uint8Array): boolean {
  return head.includes(0) || startsWith(head, PDF);
}

function startsWith(head: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (head[index] !== text.charCodeAt(index)) return false;
  return true;
}

import { isKnownEncoding, isUtf8Name } from "@fstools/text";

/** How much of a file one answer holds, and how files that are not UTF-8 are read. */
export interface ReadLimits {
  /**
   * The most bytes (UTF-8) of `data.content`.
   * @default 131072
   */
  readonly maxPageBytes?: number;
  /**
   * The most characters shown of one line; the rest is on the next page.
   * @default 16384
   */
  readonly maxLineChars?: number;
  /**
   * Encodings tried in this order on files that are not UTF-8; the first that decodes without U+FFFD is used.
   * @default []
   */
  readonly fallbackEncodings?: readonly string[];
}

/**
 * The limits with their defaults.
 * @throws RangeError, or TypeError if `fallbackEncodings` is not a list of strings
 */
export function checkLimits(limits: ReadLimits): Required<ReadLimits> {
  const { maxPageBytes = 131072, maxLineChars = 16384, fallbackEncodings = [] } = limits;
  for (const [name, value] of Object.entries({ maxPageBytes, maxLineChars })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, but is ${String(value)}.`);
    }
  }
  if (!isListOfStrings(fallbackEncodings)) throw new TypeError("fallbackEncodings must be a list of encodings.");
  const unknown = fallbackEncodings.find((name) => !isKnownEncoding(name));
  if (unknown !== undefined) {
    throw new RangeError(`fallbackEncodings: '${unknown}' is not a known encoding, such as gb18030 or windows-1252.`);
  }
  return { maxPageBytes, maxLineChars, fallbackEncodings: fallbackEncodings.filter((name) => !isUtf8Name(name)) };
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

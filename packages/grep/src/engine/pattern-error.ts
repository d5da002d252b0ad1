import { echo, ToolError } from "@fstools/protocol";

const LITERAL_HINT = "To search for it as it stands, set literal=true.";
const MULTILINE_HINT = "To match line ends, set multiline=true.";

/** The pattern is not one that the engine reads; `details` is the engine's own reason. */
export function invalidPattern(pattern: string, details: string): ToolError {
  const message = `Invalid regex pattern: ${echo(unsupportedPart(pattern) ?? details)}`;
  const hint = /"\\[nr]" is not allowed/u.test(details) ? MULTILINE_HINT : LITERAL_HINT;
  return new ToolError("INVALID_PARAM", message, { hint });
}

/** A part of the pattern that other dialects have, but no engine of linear time. */
function unsupportedPart(pattern: string): string | undefined {
  const bare = pattern.replaceAll(/\\[^1-9k]|\[\^?\]?(?:\\.|[^\]\\])*\]/gu, "_");
  if (/\(\?(?:[=!]|<[=!])/u.test(bare)) return "look-around (look-ahead and look-behind) is not supported";
  if (/\\(?:[1-9]|k[<{'])/u.test(bare)) return "back-references are not supported";
  return undefined;
}

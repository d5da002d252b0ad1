import { escapeText } from "@fstools/protocol";
import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Text in colour where a person looks at it, plain where a program does. */
export function paint(format: Format, text: string, stream: { readonly isTTY?: boolean } = process.stdout): string {
  const colourful = stream.isTTY === true && process.env.NO_COLOR === undefined;
  return colourful ? styleText(format, text) : text;
}

/** Text of files and models for a terminal: its control characters are shown as escapes. */
export function printable(text: string): string {
  return text.replaceAll(/[^\n\t]+/gu, (part) => escapeText(part));
}

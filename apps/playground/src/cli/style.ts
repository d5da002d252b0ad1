import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Text in colour where a person looks at it, plain where a program does. */
export function paint(format: Format, text: string, stream: { readonly isTTY?: boolean } = process.stdout): string {
  return stream.isTTY === true && process.env.NO_COLOR === undefined ? styleText(format, text) : text;
}

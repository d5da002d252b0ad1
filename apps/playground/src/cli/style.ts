import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Text in colour where a person looks at it, plain where a program does. */
export function paint(format: Format, text: string): string {
  const colourful = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return colourful ? styleText(format, text) : text;
}

/** "812 B", "12.3 KB". */
export function byteSize(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB`;
}

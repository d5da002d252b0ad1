import { escapeText } from "@fstools/protocol";

/** Text of files and models for people: its control and bidi characters are shown as escapes. */
export const printable = (text: string) => text.replaceAll(/[^\n\t]+/gu, (part) => escapeText(part));

import { readFileSync, writeFileSync } from "node:fs";

/** Fills every section of a family that a text holds between its two marks. @throws if one has no text of its name, or no end */
export function fillSections(document: string, texts: Readonly<Record<string, string>>, family = "bench"): string {
  return document.replaceAll(
    new RegExp(`(<!-- ${family}:([a-z]+) -->)(?:[^]*?(<!-- /${family}:\\2 -->))?`, "gu"),
    (_, begin: string, name: string, end: string | undefined) => {
      const text = texts[name];
      if (text === undefined) throw new Error(`Nothing fills the section '${name}'.`);
      if (end === undefined) throw new Error(`The document has no section '${name}'.`);
      return `${begin}\n\n${text}\n\n${end}`;
    },
  );
}

export function fillDocument(path: string, texts: Readonly<Record<string, string>>, family?: string): void {
  writeFileSync(path, fillSections(readFileSync(path, "utf8"), texts, family));
}

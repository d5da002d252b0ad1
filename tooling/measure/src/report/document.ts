/** Puts a generated text between the two marks of its name in a document. @throws if the marks are missing */
function fillSection(document: string, family: string, name: string, text: string): string {
  const begin = `<!-- ${family}:${name} -->`;
  const end = `<!-- /${family}:${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The document has no section '${name}'.`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}

/** Fills every section of a family that a document holds. @throws if one has no text of its name */
export function fillSections(document: string, texts: Readonly<Record<string, string>>, family = "bench"): string {
  return sectionNames(document, family).reduce((filled, name) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`Nothing fills the section '${name}'.`);
    return fillSection(filled, family, name, text);
  }, document);
}

/** The names of the generated sections that a document holds. */
function sectionNames(document: string, family: string): string[] {
  return [...document.matchAll(new RegExp(`<!-- ${family}:(?<name>[a-z]+) -->`, "gu"))].map(
    ({ groups }) => groups?.name ?? "",
  );
}

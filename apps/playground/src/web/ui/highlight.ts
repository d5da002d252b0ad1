/** A piece of a line in a colour, for light and for dark. */
export interface Token {
  readonly text: string;
  readonly light: string;
  readonly dark: string;
}

type Highlight = (code: string, language: string) => readonly (readonly Token[])[];

const MAX_CHARS = 200_000;

let loading: Promise<Highlight> | undefined;

/** The colours of a text's lines, once the highlighter is there; none for a language that it does not know. */
export async function highlight(code: string, extension: string): Promise<readonly (readonly Token[])[]> {
  if (extension === "" || code.length > MAX_CHARS) return [];
  loading ??= load();
  return (await loading)(code, extension);
}

/** Loaded when there is first something to colour: it is larger than the rest of the page. */
async function load(): Promise<Highlight> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, light, dark, ...langs] = await Promise.all([
    import("shiki/core"),
    import("shiki/engine/javascript"),
    import("shiki/themes/github-light-high-contrast.mjs"),
    import("shiki/themes/github-dark-high-contrast.mjs"),
    import("shiki/langs/tsx.mjs"),
    import("shiki/langs/typescript.mjs"),
    import("shiki/langs/json.mjs"),
    import("shiki/langs/markdown.mjs"),
    import("shiki/langs/css.mjs"),
    import("shiki/langs/yaml.mjs"),
    import("shiki/langs/shellscript.mjs"),
    import("shiki/langs/python.mjs"),
  ]);
  const highlighter = await createHighlighterCore({
    themes: [light.default, dark.default],
    langs: langs.map((module) => module.default),
    langAlias: { js: "tsx", jsx: "tsx", mjs: "tsx" },
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const known = highlighter.getLoadedLanguages();
  const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };
  return (code, lang) => {
    const lines = known.includes(lang) ? highlighter.codeToTokensWithThemes(code, { lang, themes }) : [];
    return lines.map((line) =>
      line.map(({ content, variants }) => ({
        text: content,
        light: variants.light?.color ?? "inherit",
        dark: variants.dark?.color ?? "inherit",
      })),
    );
  };
}

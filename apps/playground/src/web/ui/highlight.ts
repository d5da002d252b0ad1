import { createBundledHighlighter, createSingletonShorthands } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** A piece of a line in a colour, for light and for dark. */
export interface Token {
  readonly text: string;
  readonly light: string | undefined;
  readonly dark: string | undefined;
}

const MAX_CHARS = 200_000;

const langs = {
  tsx: () => import("shiki/langs/tsx.mjs"),
  ts: () => import("shiki/langs/typescript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  md: () => import("shiki/langs/markdown.mjs"),
  sh: () => import("shiki/langs/shellscript.mjs"),
  py: () => import("shiki/langs/python.mjs"),
};
const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } as const;
const { codeToTokensWithThemes } = createSingletonShorthands(
  createBundledHighlighter({
    langs,
    themes: {
      [themes.light]: () => import("shiki/themes/github-light-high-contrast.mjs"),
      [themes.dark]: () => import("shiki/themes/github-dark-high-contrast.mjs"),
    },
    engine: () => createJavaScriptRegexEngine({ forgiving: true }),
  }),
);

/** The colours of a text's lines; none for a language that is not known. Languages are loaded when they are needed. */
export async function highlight(code: string, extension: string): Promise<readonly (readonly Token[])[]> {
  const lang = extension.replace(/^[cm]?jsx?$/u, "tsx").replace(/^[cm]ts$/u, "ts");
  if (!isKnown(lang) || code.length > MAX_CHARS) return [];
  const lines = await codeToTokensWithThemes(code, { lang, themes });
  return lines.map((line) =>
    line.map(({ content, variants: { light, dark } }) => ({ text: content, light: light?.color, dark: dark?.color })),
  );
}

const isKnown = (lang: string): lang is keyof typeof langs => Object.hasOwn(langs, lang);

import { useEffect, useState } from "react";

/** Light, dark, or what the system says. */
export type Theme = "auto" | "light" | "dark";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "fstools-theme";

/** The theme, and a function that goes to the next one. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const saved = localStorage.getItem(KEY);
    return THEMES.find((known) => known === saved) ?? "auto";
  });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  const next = () => {
    setTheme((current) => THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? "auto");
  };
  return [theme, next];
}

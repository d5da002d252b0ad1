import { useState } from "react";

/** A number that the browser remembers. */
export function useStored(key: string, fallback: number): [number, (value: number) => void] {
  const [value, setValue] = useState(() => {
    const saved = Number(localStorage.getItem(key));
    return Number.isInteger(saved) && saved > 0 ? saved : fallback;
  });
  const store = (next: number) => {
    localStorage.setItem(key, String(next));
    setValue(next);
  };
  return [value, store];
}

const PATHS = {
  success: "M3 8.5 6.5 12 13 4.5",
  partial: "M8 2.500a5.500 5.500 0 1 0 0 11zM8 2.500a5.500 5.500 0 0 1 0 11",
  error: "m4 4 8 8m0-8-8 8",
  dir: "M2 4.500a1 1 0 0 1 1-1h3l1.500 1.700H13a1 1 0 0 1 1 1v5.800a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z",
  file: "M4 2.500h5l3 3v8H4zM9 2.500v3h3",
  link: "M6.500 9.500a2.500 2.500 0 0 0 3.600 0l2-2a2.500 2.500 0 1 0-3.600-3.600l-.7.7M9.500 6.500a2.500 2.500 0 0 0-3.600 0l-2 2a2.500 2.500 0 1 0 3.600 3.600l.7-.7",
  next: "M3 8h10M9 4l4 4-4 4",
  enter: "M13 3.500v4.500a1.500 1.500 0 0 1-1.500 1.500H3.500M6.500 6.500l-3 3 3 3",
  light:
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  dark: "M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z",
  auto: "M2 3.500h12v7.500H2zM6 13.500h4M8 11v2.500",
  stop: "M4.500 4.500h7v7h-7z",
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof PATHS;

/** A small drawing beside words; it says nothing that they don't. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

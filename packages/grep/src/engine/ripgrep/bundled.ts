let located: Promise<string | undefined> | undefined;

/** The binary in `@vscode/ripgrep` for this platform; undefined if the package or its binary is missing. */
export function bundledRipgrep(): Promise<string | undefined> {
  // Imported on use: it throws where its package for the platform is missing.
  located ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  return located;
}

let located: Promise<string | undefined> | undefined;

// Computed, so that no bundler takes the program inside for a source.
const RIPGREP = ["@vscode", "ripgrep"].join("/");

/** The binary in `@vscode/ripgrep` for this platform; undefined if the package or its binary is missing. */
export function bundledRipgrep(): Promise<string | undefined> {
  // Imported on use: it throws where its package for the platform is missing.
  located ??= import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ RIPGREP).then(
    (loaded: unknown) => (hasPath(loaded) ? loaded.rgPath : undefined),
    () => undefined,
  );
  return located;
}

function hasPath(loaded: unknown): loaded is { readonly rgPath: string } {
  return typeof loaded === "object" && loaded !== null && "rgPath" in loaded && typeof loaded.rgPath === "string";
}

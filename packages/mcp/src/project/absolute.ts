import { fileURLToPath, pathToFileURL } from "node:url";

/** A root of the command line as a call would name it. */
export function toAbsolute(root: string): string {
  // An empty path stays one, to be refused: it must not become the current directory.
  return root === "" ? root : fileURLToPath(pathToFileURL(root));
}

/** Whether a path begins at the top of a file system, of this one or of another. */
export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/u.test(path);
}

/** The directory of a `file:` URL, if it is one of this machine. */
export function toDirectory({ uri }: { readonly uri: string }): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // Not a local directory: nothing here can open it.
    return [];
  }
}

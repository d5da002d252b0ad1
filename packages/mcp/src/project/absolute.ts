import { fileURLToPath, pathToFileURL } from "node:url";

/** A root of the command line as a call would name it. */
export function toAbsolute(root: string): string {
  // An empty path stays one, to be refused: it must not become the current directory.
  return root === "" ? root : fileURLToPath(pathToFileURL(root));
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

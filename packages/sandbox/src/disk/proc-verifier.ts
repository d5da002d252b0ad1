import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { parentOf, type PathFactory, type Place } from "../names/safe-path.ts";
import { errnoCode } from "./errno.ts";
import { lstatPath, type Verifier } from "./verifier.ts";

/** Where Linux shows the process's own open descriptors as links. */
const DESCRIPTORS = "/proc/self/fd";

/** Node has no name for it. It opens anything, without read permission and without side effects, to ask where it is. */
export const O_PATH = 0o10000000;

/** Whether this system tells where a descriptor leads. */
export function procShowsDescriptors(): boolean {
  try {
    // Every process can open "/": a root that can be entered but not listed would tell nothing here.
    const descriptor = openSync("/", constants.O_RDONLY);
    try {
      return readlinkSync(`${DESCRIPTORS}/${descriptor}`) === "/";
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // No /proc, or a runtime that does not allow reading it.
    return false;
  }
}

/** Asks the kernel, through `/proc`, where a descriptor leads: no swap of a path goes unnoticed. */
export function createProcVerifier(paths: PathFactory): Verifier {
  function locate(descriptor: number): string | undefined {
    const location = readlinkSync(`${DESCRIPTORS}/${descriptor}`);
    // A name may really end like this; only paths inside are asked whether theirs does.
    const looksDeleted = location.endsWith(" (deleted)") && paths.relative(location) !== undefined;
    return looksDeleted && !isSameFile(descriptor, location) ? undefined : location;
  }

  function entryPath(_directory: Pick<Place, "absolute">, descriptor: number, name: string): string {
    return `${DESCRIPTORS}/${descriptor}/${name}`;
  }

  function throughParent<Result>(
    { relative }: Place,
    work: (location: string) => Result,
  ): { readonly result: Result } | undefined {
    const [parent, name] = paths.isRoot(relative) ? [relative, "."] : parentOf(relative);
    const directory = paths.place(parent);
    let descriptor: number;
    try {
      descriptor = openSync(directory.absolute, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    } catch (error) {
      const isRoot = paths.isRoot(parent);
      // The root itself became a link, or a file.
      if (isRoot && ["ENOTDIR", "ELOOP"].includes(errnoCode(error) ?? "")) return undefined;
      if (isRoot || errnoCode(error) === "EMFILE") throw error;
      throughParent(directory, (location) => {
        const stats = lstatSync(location);
        if (!stats.isSymbolicLink() && !stats.isDirectory()) throw error;
      });
      return undefined;
    }
    try {
      const isThere = locate(descriptor) === directory.absolute;
      return isThere ? { result: work(entryPath(directory, descriptor, name)) } : undefined;
    } finally {
      closeSync(descriptor);
    }
  }

  return {
    verification: "descriptor",
    locate,
    openExactly({ absolute }, flags) {
      let descriptor: number | undefined;
      try {
        descriptor = openSync(absolute, flags);
        const stats = fstatSync(descriptor, { bigint: true });
        if (readlinkSync(`${DESCRIPTORS}/${descriptor}`) === absolute) return { descriptor, stats };
      } catch {
        // The failure may be about something outside, so it is not reported before that is certain.
      }
      if (descriptor !== undefined) closeSync(descriptor);
      return undefined;
    },
    throughParent,
    look: (place) => throughParent(place, lstatPath),
    lstatEntry: (directory, descriptor, name) => ({
      result: lstatSync(entryPath(directory, descriptor, name), { throwIfNoEntry: false }),
    }),
    entryPath,
    list: (place, descriptor, open) => open(entryPath(place, descriptor, "")),
  };
}

function isSameFile(descriptor: number, location: string): boolean {
  const opened = fstatSync(descriptor, { bigint: true });
  const named = lstatSync(location, { bigint: true, throwIfNoEntry: false });
  return opened.dev === named?.dev && opened.ino === named.ino;
}

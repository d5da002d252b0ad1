import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import type { BigIntStats, Stats } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../error.ts";
import { parentOf, type PathFactory, type Place } from "../names/safe-path.ts";
import { errnoCode } from "./errno.ts";
import { observeAgreed, type Agreement } from "./observe.ts";

/** How the sandbox knows that what it opened lies inside: by asking the descriptor, or by looking at its path again. */
export type Verification = "descriptor" | "path";

/** Makes sure that what was opened, or is at a path, lies inside, whatever happens to the path meanwhile. */
export interface Verifier {
  readonly verification: Verification;
  /** The real path that an open descriptor leads to; undefined if it has none any more, or if it is unknown. */
  locate(descriptor: number, absolute: string): string | undefined;
  /** Opens what is at exactly this place, through no link; undefined if that fails, or if it is unknown. */
  openExactly(place: Place, flags: number): OpenedPlace | undefined;
  /**
   * Does something with a place through its parent directory, once that is known to be where its path says: so the
   * result, or what `work` throws, is about what is inside; undefined if it could not be reached like this.
   */
  throughParent<Result>(place: Place, work: (location: string) => Result): { readonly result: Result } | undefined;
  /** What is at a place inside, or that nothing is; undefined if that is unknown. */
  look(place: Place): { readonly result: PathStatus | undefined } | undefined;
  /** The status of `name` in an open directory; undefined if it is unknown. */
  lstatEntry(
    directory: Place,
    descriptor: number,
    name: string,
  ): { readonly result: Stats | BigIntStats | undefined } | undefined;
  /** The path of `name` in an open directory: where the system can, one that cannot be redirected. */
  entryPath(directory: Pick<Place, "absolute">, descriptor: number, name: string): string;
  /** Lists an open directory by a path that leads to it. @throws SandboxError if it may have been another one */
  list(place: Place, descriptor: number, open: (location: string) => DirectorySlices): DirectorySlices;
}

/** A name in a directory; FIFOs, sockets and devices count as files. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

/** A directory that is read a slice at a time: on most file systems its size is not known beforehand. */
export interface DirectorySlices {
  /** The next visible entries, read until `isDue` says to pause, or to the end. */
  next(isDue: () => boolean): DirectoryEntry[];
  /** Whether everything has been read. */
  isAtEnd(): boolean;
  close(): void;
}

/** An open descriptor, and what it leads to. */
export interface OpenedPlace {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

/** What is at a path, as far as following it needs to know. */
export interface PathStatus {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Where a link leads; undefined if it was replaced meanwhile, so that it has to be looked at again. */
  readonly target: string | undefined;
  readonly device: number;
}

/** Asks the disk about an absolute path, without following it; undefined if nothing is there. */
export function lstatPath(absolute: string): PathStatus | undefined {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { kind: "link", target: linkTarget(absolute), device: stats.dev };
  return { kind: statusKind(stats), target: undefined, device: stats.dev };
}

/** The kind of what is not a link. */
export function statusKind(stats: Stats | BigIntStats): "file" | "directory" | "other" {
  return stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
}

/** Where a link leads; undefined if there is none any more. */
function linkTarget(absolute: string): string | undefined {
  try {
    return readlinkSync(absolute);
  } catch (error) {
    // Windows says UNKNOWN of what is not a link.
    if (["EINVAL", "ENOENT", "UNKNOWN"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Flags for an open that follows no link in the last name and does not wait. */
export const GUARDED = constants.O_NOFOLLOW | constants.O_NONBLOCK | refuseLinksOnMac();

/** Since version 11 macOS can refuse links anywhere in a path (O_NOFOLLOW_ANY); not yet tried on a Mac. */
function refuseLinksOnMac(): number {
  if (process.platform !== "darwin") return 0;
  const flag = 0x20000000;
  try {
    closeSync(openSync("/", constants.O_RDONLY | constants.O_NOFOLLOW | flag));
    return flag;
  } catch {
    return 0;
  }
}

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

/** Looks at paths again, for systems where a descriptor cannot be asked where it leads. */
export function createPathVerifier(paths: PathFactory): Verifier {
  /** Several looks that agree are better evidence than a single one, which may have been led elsewhere at that moment. */
  function observe(absolute: string): Agreement | undefined {
    const relative = paths.relative(absolute);
    return relative === undefined ? undefined : observeAgreed(paths.absolute(paths.rootOf(relative)), absolute);
  }

  /** What the looks at a path agree on, if it is what the descriptor leads to. */
  function observeOpened(descriptor: number, absolute: string): Agreement | undefined {
    const agreement = observe(absolute);
    const opened = fstatSync(descriptor, { bigint: true });
    return opened.dev === agreement?.last?.dev && opened.ino === agreement.last.ino ? agreement : undefined;
  }

  return {
    verification: "path",
    locate: (descriptor, absolute) => (observeOpened(descriptor, absolute) === undefined ? undefined : absolute),
    openExactly: () => undefined,
    throughParent({ absolute }, work) {
      if (observe(absolute) === undefined) return undefined;
      try {
        const result = work(absolute);
        return observe(absolute) && { result };
      } catch (error) {
        if (observe(absolute) === undefined) return undefined;
        throw error;
      }
    },
    look(place) {
      const agreement = observe(place.absolute);
      if (agreement !== undefined) {
        const { last } = agreement;
        return { result: last && { kind: statusKind(last), target: undefined, device: Number(last.dev) } };
      }
      const { relative } = place;
      const parent = paths.absolute(paths.isRoot(relative) ? relative : parentOf(relative)[0]);
      const before = observe(parent);
      const target = before && linkTarget(place.absolute);
      if (target === undefined || observe(parent) === undefined) return undefined;
      return { result: { kind: "link", target, device: Number(before?.last?.dev) } };
    },
    lstatEntry({ absolute }, _descriptor, name) {
      const agreement = observe(join(absolute, name));
      return agreement && { result: agreement.last };
    },
    entryPath: ({ absolute }, _descriptor, name) => join(absolute, name),
    list(place, descriptor, open) {
      const look = (): Agreement | undefined => observeOpened(descriptor, place.absolute);
      return openAgreedSlices(place, () => open(place.absolute), look);
    },
  };
}

// A swap that hits one reading but not the looks around it succeeds about once in 100,000 tries.
const AGREEING_READINGS = 4;
const MAX_READINGS = 16;

/**
 * Opens a directory by its path, which may lead elsewhere for just the moment of a reading: so it is read several times,
 * unless nothing was renamed on the way for a second; and what `look` agrees on must still be there after each slice.
 */
export function openAgreedSlices(
  { relative }: Pick<Place, "relative">,
  open: () => DirectorySlices,
  look: () => Agreement | undefined,
): DirectorySlices {
  const expectThere = (): Agreement => {
    const agreement = look();
    if (agreement === undefined) throw new SandboxError({ reason: "outside", path: relative });
    return agreement;
  };
  let lastNames: string | undefined;
  let agreeing = 0;
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const slices = open();
    let isKept = false;
    try {
      const first = slices.next(() => true);
      const { isCertain } = expectThere();
      const names = first.map(({ name }) => name).join("/");
      agreeing = names === lastNames ? agreeing + 1 : 1;
      lastNames = names;
      isKept = isCertain || agreeing === AGREEING_READINGS;
      if (!isKept) continue;
      return {
        ...slices,
        next: (isDue) => {
          const entries = slices.isAtEnd() ? [] : slices.next(isDue);
          expectThere();
          return [...first.splice(0), ...entries];
        },
        isAtEnd: () => first.length === 0 && slices.isAtEnd(),
      };
    } finally {
      if (!isKept) slices.close();
    }
  }
  throw new SandboxError({ reason: "outside", path: relative });
}

import { fstatSync } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../error.ts";
import { parentOf, type PathFactory, type Place } from "../names/safe-path.ts";
import type { DirectorySlices } from "./listing.ts";
import { observeAgreed, type Agreement } from "./observe.ts";
import { linkTarget, statusKind, type Verifier } from "./verifier.ts";

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

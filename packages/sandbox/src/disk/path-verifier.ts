import { fstatSync } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../error.ts";
import { parentOf, type PathFactory, type Place } from "../names/safe-path.ts";
import { openAgreedSlices, type DirectorySlices } from "./listing.ts";
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
      const outcome = attempt(() => work(absolute));
      return observe(absolute) === undefined ? undefined : outcome();
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
      const slices = openAgreedSlices(() => open(place.absolute), look);
      if (slices === undefined) throw lostRace(place);
      return whileThere(slices, () => look() !== undefined, place);
    },
  };
}

/** What was listed by path counts only while the path still leads to the verified directory. */
function whileThere(slices: DirectorySlices, isThere: () => boolean, place: Place): DirectorySlices {
  return {
    ...slices,
    next: (isDue) => {
      const entries = slices.next(isDue);
      if (!isThere()) throw lostRace(place);
      return entries;
    },
  };
}

function lostRace({ relative }: Place): SandboxError {
  return new SandboxError({ reason: "outside", path: relative });
}

/** Does something now; the returned function gives its result, or throws its error, later. */
function attempt<Result>(work: () => Result): () => { readonly result: Result } {
  try {
    const result = work();
    return () => ({ result });
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

import { below, createPathFactory, segments, type PathFactory } from "../names/safe-path.ts";
import { readRoots, type ProjectOptions, type Root } from "../roots.ts";
import {
  createDenyRules,
  createProtectRules,
  createSecretRules,
  defaultProtectRules,
  NO_RULES,
  rulesBelow,
  type DenyRules,
  type ProtectRules,
} from "../rules/deny-rules.ts";
import { createPathVerifier, createProcVerifier, procShowsDescriptors, type Verifier } from "./verifier.ts";

/** What belongs to one sandbox. */
export interface Boundary {
  /** The project's directories, those inside others among them. */
  readonly roots: readonly Root[];
  /** Those that are in no other. */
  readonly tops: readonly TopRoot[];
  /** What the absolute paths that lead inside may begin with, the longest first. */
  readonly spellings: ReturnType<typeof spellingsOf>;
  readonly deny: DenyRules;
  readonly protect: ProtectRules;
  readonly paths: PathFactory;
  readonly verifier: Verifier;
  /** Whether what git ignores counts as ignored. */
  readonly gitignore: boolean;
}

/** A root that is in no other. */
export interface TopRoot {
  /** Its name, or "." if it is the only one. */
  readonly path: string;
  /** The names of its real path. */
  readonly names: readonly string[];
}

/** What a boundary is drawn around, and the host's rules, which count from each root. */
export interface BoundaryOptions extends ProjectOptions {
  readonly deny?: readonly string[] | undefined;
  /** Whether what people call secrets is denied too. @default false */
  readonly defaultDeny?: boolean | undefined;
  readonly protect?: readonly string[] | undefined;
  readonly gitignore?: boolean | undefined;
  /** Whether `/proc/self/fd` says where a descriptor leads; found out if it is not given. */
  readonly usesProc?: boolean | undefined;
}

/** Draws the boundary of a sandbox around directories. @throws Error if one is missing, or its name can't be used */
export function createBoundary(options: BoundaryOptions): Boundary {
  const { gitignore = false, usesProc = procShowsDescriptors() } = options;
  const roots = readRoots(options);
  const isSingle = roots.some(({ path }) => path === ".");
  const outermost = roots.filter(({ path }) => (isSingle ? path === "." : !path.includes("/")));
  const outer = new Map(outermost.map(({ path, absolute }) => [path, absolute]));
  const paths = createPathFactory(outer);
  const tops = [...outer].map(([path, absolute]) => ({ path, names: segments(absolute) }));
  const verifier = usesProc ? createProcVerifier(paths) : createPathVerifier(paths);
  return {
    roots,
    tops,
    spellings: roots
      .flatMap((root) => spellingsOf(root, tops))
      .sort((one, other) => other.names.length - one.names.length),
    ...createRules(roots, tops, options),
    paths,
    verifier: tops.length === 1 ? verifier : withList(verifier, paths),
    gitignore,
  };
}

/** The names by which the host, or the system, knows a root, and those from the top that holds it to the root itself. */
function spellingsOf({ path, absolute, spelled }: Root, tops: readonly TopRoot[]) {
  return tops.flatMap((top) => {
    const inside = below(top.path, path);
    if (inside === undefined) return [];
    return [spelled, absolute].map((spelling) => ({ names: segments(spelling), top, inside: segments(inside) }));
  });
}

function createRules(
  roots: readonly Root[],
  tops: readonly TopRoot[],
  { deny, protect, defaultDeny = false }: BoundaryOptions,
): Pick<Boundary, "deny" | "protect"> {
  const spelled = (some: readonly Root[]) => some.flatMap((root) => [root.spelled, root.absolute]);
  const inEachRoot = (option: string, patterns: readonly string[] | undefined): DenyRules =>
    rulesBelow(
      [...new Set(roots.map(({ path }) => path))].map((path) => {
        const [own, others] = [roots.filter((root) => root.path === path), roots.filter((root) => root.path !== path)];
        return { path, rules: createDenyRules(patterns, spelled(own), option, spelled(others)) };
      }),
    );
  const secrets = defaultDeny ? createSecretRules() : NO_RULES;
  // The host's patterns are checked at once.
  const kept = protect && inEachRoot("protect", protect);
  return {
    deny: rulesBelow([
      ...tops.map(({ path }) => ({ path, rules: secrets })),
      { path: ".", rules: inEachRoot("deny", deny) },
    ]),
    protect: createProtectRules(
      roots,
      () => kept ?? rulesBelow(roots.map(({ path }) => ({ path, rules: defaultProtectRules() }))),
    ),
  };
}

/** The list of several roots is no place on the disk; it is always there. */
function withList(verifier: Verifier, paths: PathFactory): Verifier {
  const list = { result: { kind: "directory", target: undefined, device: 0 } } as const;
  return { ...verifier, look: (place) => (paths.isList(place.relative) ? list : verifier.look(place)) };
}

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createPathFactory, segments, type PathFactory } from "../names/safe-path.ts";
import { bothRules, createDenyRules, type DenyRules } from "../rules/deny-rules.ts";
import { createProtectRules, type ProtectRules } from "../rules/protect-rules.ts";
import { createSecretRules } from "../rules/secret-files.ts";
import { createPathVerifier } from "./path-verifier.ts";
import { createProcVerifier, procShowsDescriptors } from "./proc-verifier.ts";
import type { Verifier } from "./verifier.ts";

/** What belongs to one sandbox. */
export interface Boundary {
  /** The real path of the project root. */
  readonly root: string;
  readonly rootNames: readonly string[];
  /** The names of the project root as the host spelled it, which may lead through a link. */
  readonly givenRootNames: readonly string[];
  readonly deny: DenyRules;
  readonly protect: ProtectRules;
  readonly paths: PathFactory;
  readonly verifier: Verifier;
  /** Whether what git ignores counts as ignored. */
  readonly gitignore: boolean;
}

/** What a boundary is drawn around, and the host's rules. */
export interface BoundaryOptions {
  readonly projectRoot: string;
  readonly deny?: readonly string[] | undefined;
  /**
   * Whether what people call secrets is denied too.
   * @default false
   */
  readonly defaultDeny?: boolean | undefined;
  readonly protect?: readonly string[] | undefined;
  readonly gitignore?: boolean | undefined;
  /** Whether `/proc/self/fd` says where a descriptor leads; found out if it is not given. */
  readonly usesProc?: boolean | undefined;
}

/**
 * Draws the boundary of a sandbox around an existing directory.
 * @throws Error if `projectRoot` is not an existing directory.
 */
export function createBoundary(options: BoundaryOptions): Boundary {
  const { projectRoot, deny, protect, defaultDeny = false, gitignore = false } = options;
  const { usesProc = procShowsDescriptors() } = options;
  const givenRoot = absoluteRoot(projectRoot);
  const root = realDirectory(givenRoot);
  const own = createDenyRules(deny, [givenRoot, root]);
  const paths = createPathFactory(root);
  return {
    root,
    rootNames: segments(root),
    givenRootNames: segments(givenRoot),
    deny: defaultDeny ? bothRules(createSecretRules(), own) : own,
    protect: createProtectRules(protect, [givenRoot, root]),
    paths,
    verifier: usesProc ? createProcVerifier(paths) : createPathVerifier(paths),
    gitignore,
  };
}

function absoluteRoot(projectRoot: unknown): string {
  if (typeof projectRoot !== "string" || projectRoot === "") {
    throw new TypeError("projectRoot must be the path of an existing directory.");
  }
  return resolve(projectRoot);
}

function realDirectory(path: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new Error(`projectRoot '${path}' is not an existing directory.`, { cause: error });
  }
  throw new Error(`projectRoot '${path}' is not an existing directory.`);
}

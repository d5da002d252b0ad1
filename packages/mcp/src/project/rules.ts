import { below, holds, type LabelledRoot } from "./labels.ts";

/** The rules of a host about paths below each root. */
export interface Rules {
  readonly deny: readonly string[];
  readonly protect: readonly string[];
}

/**
 * The rules for a root that may hold others: its own, and those of the others as they read from here. A rule without a
 * slash holds at any depth anyway; an absolute one belongs to the root that it names.
 */
export function rulesOf(root: LabelledRoot, inner: readonly LabelledRoot[], rules: Rules): Rules {
  return { deny: rebased(root, inner, rules.deny), protect: rebased(root, inner, rules.protect) };
}

function rebased(root: LabelledRoot, inner: readonly LabelledRoot[], patterns: readonly string[]): string[] {
  const own = patterns.filter((pattern) => isRelative(pattern) || isBelow(root, pattern));
  const nested = inner.flatMap((other) => {
    const directory = escapeGlob(below(root.real, other.real));
    return patterns
      .filter((pattern) => isRelative(pattern) && pattern.includes("/"))
      .map((pattern) => `${directory}/${pattern.replace(/^\.?\//u, "")}`);
  });
  return [...own, ...nested];
}

function isRelative(pattern: string): boolean {
  return !pattern.startsWith("/");
}

function isBelow({ real, spelled }: LabelledRoot, pattern: string): boolean {
  return holds(real, pattern) || holds(spelled, pattern);
}

/** With "?" for what may be syntax: a rule may cover a neighbour that differs only there, but never misses. */
function escapeGlob(path: string): string {
  return path.replaceAll(/[^\w./\u0080-\uffff-]/g, "?");
}

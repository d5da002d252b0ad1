// @ts-check
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** @typedef {{ readonly verification: string, readonly answers: Readonly<Record<string, unknown>> }} Report */

/**
 * @param {string} file
 * @returns {Report}
 */
export function readReport(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Says how the answers of one runtime differ from those of another.
 *
 * @param {Report} expected
 * @param {Report} actual
 * @param {(what: string) => boolean} [isCompared]
 * @returns {string[]}
 */
export function differences(expected, actual, isCompared = () => true) {
  const names = new Set([...Object.keys(expected.answers), ...Object.keys(actual.answers)]);
  return [...names].filter(isCompared).flatMap((name) => {
    const [left, right] = [expected.answers[name], actual.answers[name]];
    return isDeepStrictEqual(left, right) ? [] : [`${name}\n  ${JSON.stringify(left)}\n  ${JSON.stringify(right)}`];
  });
}

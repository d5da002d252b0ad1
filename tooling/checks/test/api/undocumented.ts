/** Has a comment. */
export const documented = 1;

export function undocumented(): number {
  return documented;
}

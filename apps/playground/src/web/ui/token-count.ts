/** "812", "12,345". */
export function tokenCount(tokens: number): string {
  return tokens.toLocaleString("en");
}

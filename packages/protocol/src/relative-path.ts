/** What is wrong with a path that should be POSIX and relative to the project root, if anything. */
export function relativePathProblem(path: unknown): string | undefined {
  if (typeof path !== "string") return "is not a string";
  if (path === "") return "is empty";
  if (path.startsWith("/")) return "is absolute";
  // A listed directory may end in a slash.
  const segments = path.replace(/\/$/u, "").split("/");
  if (segments.includes("..")) return "has a '..' segment";
  if (path !== "." && segments.some((segment) => segment === "" || segment === ".")) return "is not normalised";
  return undefined;
}

// What users of a package notice, and nothing else: no hashes, no lines for dependencies that were updated.

/** @type {import("@changesets/types").ChangelogFunctions} */
module.exports = {
  getReleaseLine: ({ summary }) => Promise.resolve(`- ${summary.trim().replaceAll("\n", "\n  ")}`),
  getDependencyReleaseLine: () => Promise.resolve(""),
};

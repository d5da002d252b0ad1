// What users of a package notice, and nothing else: no hashes, no lines for dependencies that were updated.

module.exports = {
  getReleaseLine: ({ summary }) => Promise.resolve(`- ${summary.trim().replaceAll("\n", "\n  ")}`),
  getDependencyReleaseLine: () => Promise.resolve(""),
};

module.exports = {
  hooks: {
    // What is published lists nothing that its users do not need.
    beforePacking: ({ devDependencies, scripts, bundled, ...manifest }) => manifest,
  },
};

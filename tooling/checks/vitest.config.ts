import { nodeProject } from "@fstools/presets/vitest";

// One file, in order: what is published in the beginning is installed in the rest.
export default nodeProject({ testTimeout: 240_000, hookTimeout: 600_000 });

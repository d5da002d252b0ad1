import { nodeProject } from "@fstools/presets/vitest";

export default nodeProject({ include: ["trial/*.test.ts"], testTimeout: 240_000, hookTimeout: 600_000 });

import { nodeProject } from "@fstools/vitest";

export default nodeProject({ include: ["trial/*.test.ts"], testTimeout: 240_000, hookTimeout: 600_000 });

import { nodeProject } from "@fstools/presets/vitest";

export default nodeProject();

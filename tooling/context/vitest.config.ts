import { nodeProject } from "@fstools/vitest";

export default nodeProject();

import { nodeProject } from "@fstools/presets/vitest";

// Few files, most of the time in one: a process for each costs next to nothing here.
export default nodeProject({ isolate: true });

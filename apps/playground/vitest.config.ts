import { nodeProject } from "@fstools/vitest";

// Few files, most of the time in one: a process for each costs next to nothing here.
export default nodeProject({ isolate: true });

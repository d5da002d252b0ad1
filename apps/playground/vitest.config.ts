import { nodeProject } from "@fstools/vitest";

// Few files, most of the time in one: a process for each costs next to nothing here. A real browser on a machine that is
// busy with all other tests sometimes answers too late, so that a test may try again.
export default nodeProject({ isolate: true, retry: 2 });

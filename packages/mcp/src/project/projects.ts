import { createRecentMap } from "@fstools/sandbox";
import { createToolset } from "@fstools/toolset";
import { createProject, type Project, type ProjectOptions } from "./project.ts";

/** The project over these roots, for one conversation. */
export type Projects = (roots: readonly string[]) => Project;

/** A client that changes its roots often must not grow the server. */
const MAX_PROJECTS = 16;

/**
 * Keeps the projects of one conversation, so that what the tools know about a file outlives the call.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createProjects(options: ProjectOptions): Projects {
  const projects = createRecentMap<Project>(MAX_PROJECTS);
  return (roots) => {
    const key = JSON.stringify(roots);
    const project = projects.get(key) ?? createProject(roots, options);
    projects.set(key, project);
    return project;
  };
}

/** Whether a root is a directory that can be looked into now. */
export function isUsableRoot(root: string): boolean {
  try {
    createToolset({ projectRoot: root, tools: [] });
    return true;
  } catch {
    // The reason does not matter: there is nothing to see.
    return false;
  }
}

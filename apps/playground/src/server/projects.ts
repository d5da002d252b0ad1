import { copyDemo, type DemoCopy } from "../demo.ts";
import { openProject, type Project } from "../project.ts";

/** The projects that a page can show; a request names one by its id, never by a path. */
export interface Projects {
  get(id: string): Project | undefined;
  /** Makes a fresh copy of the demo project. */
  openDemo(): Project;
  close(): void;
}

/** The main project, and the demo once it is asked for. */
export function createProjects(main: Project): Projects {
  let demo: { readonly copy: DemoCopy; readonly project: Project } | undefined;
  const close = () => {
    demo?.copy.remove();
    demo = undefined;
  };
  return {
    get: (id) => (id === "main" ? main : id === "demo" ? demo?.project : undefined),
    openDemo: () => {
      close();
      const copy = copyDemo();
      const mode = { writable: true, reason: "It is a copy in a temporary folder." };
      demo = { copy, project: openProject({ root: copy.root, mode, kind: "demo" }) };
      return demo.project;
    },
    close,
  };
}

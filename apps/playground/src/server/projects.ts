import { copyDemo } from "../demo.ts";
import { openProject, type Project } from "../project.ts";

/** The projects that a page can show; a request names one by its id, never by a path. */
export interface Projects {
  readonly all: readonly { readonly id: string; readonly name: string }[];
  /** The one that a page shows first. */
  first(): Project;
  get(id: string): Project | undefined;
  /** Makes a fresh copy of the demo project. */
  renewDemo(): Project;
  close(): void;
}

/** The main project, and the demo once it is asked for. */
export function createProjects(main: Project, demoFirst: boolean): Projects {
  let demo: { readonly project: Project; readonly remove: () => void } | undefined;
  const renewDemo = () => {
    demo?.remove();
    const { root, remove } = copyDemo();
    demo = { remove, project: openProject({ root, writable: true, kind: "demo" }) };
    return demo.project;
  };
  const open = new Map([
    ["demo", () => demo?.project ?? renewDemo()],
    ["main", () => main],
  ]);
  const get = (id: string) => open.get(id || (demoFirst ? "demo" : "main"))?.();
  return {
    all: [
      { id: "demo", name: "demo: orchard" },
      { id: main.id, name: main.name },
    ],
    first: () => get("") ?? main,
    get,
    renewDemo,
    close: () => demo?.remove(),
  };
}

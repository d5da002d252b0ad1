import { copyDemo, type DemoCopy } from "../demo.ts";
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
  let demo: { readonly copy: DemoCopy; readonly project: Project } | undefined;
  const close = () => {
    demo?.copy.remove();
    demo = undefined;
  };
  const renewDemo = () => {
    close();
    const copy = copyDemo();
    demo = { copy, project: openProject({ root: copy.root, writable: true, kind: "demo" }) };
    return demo.project;
  };
  const open = new Map([
    ["demo", () => demo?.project ?? renewDemo()],
    ["main", () => main],
  ]);
  const all = [
    { id: "demo", name: "orchard (demo)" },
    { id: main.id, name: main.name },
  ];
  const first = demoFirst ? "demo" : "main";
  const get = (id: string) => open.get(id === "" ? first : id)?.();
  return { all, first: () => get("") ?? main, get, renewDemo, close };
}

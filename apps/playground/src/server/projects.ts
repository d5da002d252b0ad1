import { copyDemo } from "../demo.ts";
import { openProject, type Project } from "../project.ts";

/** The projects that a page can show; a request names one by its id, never by a path. */
export interface Projects {
  /** Those of the demo say what they show. */
  readonly all: readonly { readonly id: string; readonly name: string; readonly shows?: string }[];
  /** The one that a page shows first. */
  first(): Project;
  get(id: string): Project | undefined;
  /** Forgets the copies of the demo projects; who asks for them again gets fresh ones. */
  removeDemo(): void;
}

/** The main project, and the demos once they are asked for. */
export function createProjects(main: Project, demoFirst: boolean): Projects {
  const openDemo = () => {
    const { root, other, history, remove } = copyDemo();
    const both = [{ path: root }, { path: other, access: "read" as const }];
    return {
      remove,
      demo: openProject({ root, history, writable: true, kind: "demo" }),
      roots: openProject({ root: both, history, writable: true, kind: "roots" }),
    };
  };
  let demos: ReturnType<typeof openDemo> | undefined;
  const get = (id: string) => (id === "demo" || id === "roots" ? (demos ??= openDemo())[id] : undefined);
  const first = () => (demoFirst ? get("demo") : undefined) ?? main;
  const removeDemo = () => {
    demos?.remove();
    demos = undefined;
  };
  return {
    all: [
      { id: "demo", name: "demo: orchard", shows: "A finished run" },
      { id: "roots", name: "demo: orchard, cidery", shows: "Two roots as one project" },
      { id: "main", name: main.name },
    ],
    first,
    get: (id) => (id === "" ? first() : id === main.id ? main : get(id)),
    removeDemo,
  };
}

import { projectFrom, toolNamed, type Settings } from "./setup.ts";
import { paint } from "./style.ts";

/** The tools and their parameters. */
export function tools(names: readonly string[], settings: Settings): Promise<number> {
  const project = projectFrom(settings);
  const shown = names.length === 0 ? [...project.tools.values()] : names.map((name) => toolNamed(project, name));
  if (settings.json === true) {
    const listed = shown.map(({ name, description, jsonSchema }) => ({ name, description, parameters: jsonSchema }));
    console.log(JSON.stringify(listed, undefined, 2));
    return Promise.resolve(0);
  }
  for (const { name, description, jsonSchema } of shown)
    console.log(`${paint("bold", name)}\n\n${description.trim()}\n\n${JSON.stringify(jsonSchema, undefined, 2)}\n`);
  if (project.off.length > 0 && names.length === 0)
    console.error(`Off here: ${project.off.join(", ")}. --write offers them.`);
  return Promise.resolve(0);
}

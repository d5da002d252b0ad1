// @ts-check
import { Converter, ReflectionKind } from "typedoc";

// Names each entry point as it is imported: `protocol/src` is `@fstools/protocol`.
/** @param {import("typedoc").Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = `@fstools/${module.name.replace(/\/src(?:\/index)?/u, "")}`;
    }
  });
}

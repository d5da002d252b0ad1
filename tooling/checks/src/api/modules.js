// @ts-check
import { Converter, ReflectionKind } from "typedoc";

/** What has its comment elsewhere: modules in a README, the rest where it comes from. */
const NOT_OURS = new Set([ReflectionKind.Module, ReflectionKind.Reference, ReflectionKind.Namespace]);

/** @param {import("typedoc").Application} app */
export function load(app) {
  // Names each entry point as it is imported: `protocol/dist` is `@fstools/protocol`.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = `@fstools/${module.name.replace(/\/dist(?:\/index)?/u, "")}`;
    }
  });
  // TypeDoc's own validation would ask for a comment at every method, or at none of what another package holds.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const module of [project, ...project.getReflectionsByKind(ReflectionKind.Module)]) {
      if (!module.isProject() && !module.isDeclaration()) continue;
      for (const { kind, name, comment, signatures = [] } of module.children ?? []) {
        if (NOT_OURS.has(kind)) continue;
        if (comment !== undefined || signatures.some((signature) => signature.hasComment())) continue;
        app.logger.validationWarning(`${module.name}.${name} does not have any documentation`);
      }
    }
  });
}

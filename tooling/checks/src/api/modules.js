// @ts-check
import { Converter, ReflectionKind } from "typedoc";

const { ClassOrInterface, Enum, Function, TypeAlias, Variable } = ReflectionKind;
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
    for (const one of project.getReflectionsByKind(ClassOrInterface | Enum | Function | TypeAlias | Variable)) {
      const isTold = one.hasComment() || (one.isDeclaration() && one.signatures?.some((way) => way.hasComment()));
      if (!isTold) app.logger.validationWarning(`${one.getFriendlyFullName()} does not have any documentation`);
    }
  });
}

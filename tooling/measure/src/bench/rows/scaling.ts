import { createGlobTool } from "@fstools/glob";
import { createLsTool } from "@fstools/ls";
import { createReadTool } from "@fstools/read";
import { basename, dirname } from "node:path";
import { flatDirectory, GIB, MIB, textFile } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row } from "../row.ts";

/** One curve of the plot: the same call on growing input. */
export interface Curve {
  readonly id: string;
  readonly work: string;
  readonly unit: "entries" | "bytes";
  readonly sizes: readonly number[];
  readonly contender: (size: number) => Contender;
}

const ENTRIES = [1000, 10_000, 100_000, 1_000_000];

export const curves: readonly Curve[] = [
  {
    id: "scaling-ls",
    work: "LS, first page",
    unit: "entries",
    sizes: ENTRIES,
    contender: (size) => {
      const tool = createLsTool({ projectRoot: flatDirectory(size) });
      return contender({ name: "@fstools/ls", prepare: nothing, run: () => tool.run({}) });
    },
  },
  {
    id: "scaling-glob",
    work: "Glob, one match, full scan",
    unit: "entries",
    sizes: ENTRIES,
    contender: (size) => {
      const limits = { maxVisitedEntries: 10_000_000, maxDurationMs: 600_000 };
      const tool = createGlobTool({ projectRoot: flatDirectory(size), ...limits });
      return contender({
        name: "@fstools/glob",
        prepare: nothing,
        run: () => tool.run({ pattern: "**/*0000777.ts" }),
        answer: (response) => [response.status, String(response.stats.matched)],
      });
    },
  },
  {
    id: "scaling-read",
    work: "Read, first page",
    unit: "bytes",
    sizes: [MIB, 10 * MIB, 100 * MIB, 2 * GIB],
    contender: (size) => {
      const path = textFile(size);
      return contender({
        name: "@fstools/read",
        prepare: () => createReadTool({ projectRoot: dirname(path) }),
        run: (tool) => tool.run({ path: basename(path) }),
      });
    },
  },
];

/** The id of one point of a curve. */
export function pointId(curve: Curve, size: number): string {
  return `${curve.id}-${size}`;
}

/** Each point of each curve is a row of its own, measured like every other. */
export const scalingRows: readonly Row[] = curves.flatMap((curve) =>
  curve.sizes.map((size) => ({
    id: pointId(curve, size),
    work: `${curve.work}, ${size.toLocaleString("en")} ${curve.unit}`,
    mode: size >= (curve.unit === "entries" ? 1_000_000 : GIB) ? ("full" as const) : ("quick" as const),
    targets: [],
    contenders: () => [curve.contender(size)],
  })),
);

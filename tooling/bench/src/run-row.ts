/** A process of its own per row, so that no row inherits the garbage of another. */
import { FULL, measureRow, QUICK } from "./measure.ts";
import { rows } from "./rows/index.ts";
import { scalingRows } from "./rows/scaling.ts";

const [id, effort] = process.argv.slice(2);
const row = [...rows, ...scalingRows].find((candidate) => candidate.id === id);
if (row === undefined) throw new Error(`There is no row '${id ?? ""}'.`);
const measurements = await measureRow(row, effort === "quick" ? QUICK : FULL);
console.log(JSON.stringify(measurements));

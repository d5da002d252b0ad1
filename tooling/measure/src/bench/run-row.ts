/** A process of its own per row: asks its contenders in turns, and prints what it measured. */
import { findRow } from "./rows/index.ts";
import { FULL, measureContenders, QUICK } from "./measure.ts";
import { startRemote } from "./remote-contender.ts";

const [id = "", effort] = process.argv.slice(2);
const contenders = await findRow(id).contenders();
const remotes = contenders.map((contender, index) => startRemote(contender, id, index));
try {
  const measurements = await measureContenders(
    id,
    remotes.map(({ contender }) => contender),
    effort === "quick" ? QUICK : FULL,
  );
  console.log(JSON.stringify(measurements));
} finally {
  for (const { stop } of remotes) stop();
}

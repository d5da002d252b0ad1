import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tally } from "./tally.ts";

/** How many descriptors this process holds open; 0 where the system does not tell. */
function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

/** Complains if descriptors stay open after the work, once what was abandoned has had time to end. */
export async function withoutLeak(tally: Tally, work: () => Promise<void>): Promise<void> {
  const before = openDescriptors();
  await work();
  for (let wait = 0; wait < 200 && openDescriptors() > before; wait++) await sleep(50);
  const more = openDescriptors() - before;
  if (more > 0) tally.violation(`${more} descriptors stayed open`);
}

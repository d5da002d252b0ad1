import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How many descriptors this process holds open; 0 where the system does not tell. */
export function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

/** The number of descriptors once work that was abandoned has had time to end. */
export async function settledDescriptors(expected: number): Promise<number> {
  for (let wait = 0; wait < 200 && openDescriptors() > expected; wait++) await sleep(50);
  return openDescriptors();
}

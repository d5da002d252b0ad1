import { setTimeout as sleep } from "node:timers/promises";

/** The longest time, in milliseconds, for which the event loop could not run a timer while `work` ran. */
export async function longestTickMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await sleep(2);
  longest = 0;
  await work();
  look();
  clearInterval(timer);
  return longest;
}

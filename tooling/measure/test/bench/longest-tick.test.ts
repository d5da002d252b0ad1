import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { longestTickMs } from "../../src/bench/row.ts";

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it("notices work that holds the event loop, also at the very end", async () => {
  const held = await longestTickMs(async () => {
    await sleep(5);
    hold(120);
  });
  expect(held).toBeGreaterThanOrEqual(115);
});

it("does not add up the slices of work that rests in between", async () => {
  let elapsedMs = 0;
  const held = await longestTickMs(async () => {
    const start = performance.now();
    for (let slice = 0; slice < 40; slice++) {
      hold(10);
      await sleep(2);
    }
    elapsedMs = performance.now() - start;
  });
  // Whatever else the machine does, 39 of the slices are not in the longest tick.
  expect(elapsedMs - held).toBeGreaterThan(300);
});

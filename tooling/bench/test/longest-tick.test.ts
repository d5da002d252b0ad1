import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { longestTickMs } from "../src/longest-tick.ts";

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
  const held = await longestTickMs(async () => {
    for (let slice = 0; slice < 40; slice++) {
      hold(10);
      await sleep(2);
    }
  });
  expect(held).toBeLessThan(300);
});

import { describe, expect, it } from "vitest";
import { createSlots } from "../src/server/slots.ts";

const never = new AbortController().signal;

describe("createSlots", () => {
  it("lets so many run, so many wait, and refuses the rest", async () => {
    const slots = createSlots({ running: 1, waiting: 1 });
    const first = await slots.take(never);
    const second = slots.take(never);
    expect(await slots.take(never)).toBeUndefined();
    first?.();
    const release = await second;
    expect(release).toBeTypeOf("function");
    release?.();
    expect(await slots.take(never)).toBeTypeOf("function");
  });

  it("frees a slot once, however often it is released", async () => {
    const slots = createSlots({ running: 1, waiting: 0 });
    const release = await slots.take(never);
    release?.();
    release?.();
    expect(await slots.take(never)).toBeTypeOf("function");
    expect(await slots.take(never)).toBeUndefined();
  });

  it("passes over a caller that gave up waiting", async () => {
    const slots = createSlots({ running: 1, waiting: 2 });
    const release = await slots.take(never);
    const impatient = new AbortController();
    const gaveUp = slots.take(impatient.signal);
    const patient = slots.take(never);
    impatient.abort();
    expect(await gaveUp).toBeUndefined();
    release?.();
    expect(await patient).toBeTypeOf("function");
  });
});

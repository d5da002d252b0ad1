import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openProcess } from "../../src/channel/process-channel.ts";

describe("openProcess", () => {
  it("waits for the exit code of a program that stops reading before it ends", async () => {
    const channel = openProcess({ command: "sh", args: ["-c", "exec 0<&-; sleep 0.4; exit 3"] });
    onTestFinished(() => channel.close());
    await sleep(200);
    await expect(channel.request("initialize", {})).rejects.toThrow("The server's process ended (exit code 3).");
  });

  it("does not wait for one that goes on", async () => {
    const channel = openProcess({ command: "sh", args: ["-c", "exec 0<&-; exec sleep 20"] });
    onTestFinished(() => channel.close());
    await sleep(200);
    await expect(channel.request("initialize", {})).rejects.toThrow("no longer reads what is sent to it");
  });
});

import { cpus, release, totalmem, type } from "node:os";

export interface Machine {
  readonly date: string;
  readonly mode: "quick" | "full";
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly memory: string;
}

export function describeMachine(mode: Machine["mode"]): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    mode,
    node: process.version,
    system: `${type()} ${release().split("-")[0] ?? ""}`,
    processor: `${processors.length} x ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
  };
}

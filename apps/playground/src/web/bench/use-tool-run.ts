import { useCallback, useRef, useState } from "react";
import type { Params } from "../../next-call.ts";
import type { ToolResult, TruncatorSettings } from "../../server/api.ts";
import { runTool } from "../api-client.ts";

/** A call of the bench and how it went. */
export interface ToolRun {
  readonly tool: string;
  readonly params: Params;
  readonly state: "running" | "done" | "failed";
  readonly result?: ToolResult;
  /** Why there is no envelope: the server refused or is gone. */
  readonly problem?: string;
}

/** The last call of the bench, and a function that makes the next; a new call gives up the one before. */
export function useToolRun() {
  const [run, setRun] = useState<ToolRun>();
  const current = useRef<AbortController>(undefined);
  const start = useCallback(async (tool: string, params: Params, truncator: TruncatorSettings | undefined) => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setRun((before) => ({ ...(before?.tool === tool ? before : undefined), tool, params, state: "running" }));
    try {
      const result = await runTool(tool, { params, ...(truncator ? { truncator } : {}) }, controller.signal);
      if (!controller.signal.aborted) setRun({ tool, params, state: "done", result });
    } catch (error) {
      if (controller.signal.aborted) return;
      setRun({ tool, params, state: "failed", problem: error instanceof Error ? error.message : String(error) });
    }
  }, []);
  return { run, start };
}

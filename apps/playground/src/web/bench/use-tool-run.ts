import { useCallback, useRef, useState } from "react";
import type { Params } from "../../params.ts";
import type { ToolResult, TruncatorSettings } from "../../server/api.ts";
import type { Client } from "../api-client.ts";

/** A call of the bench. */
export interface ToolCall {
  readonly tool: string;
  readonly params: Params;
  readonly truncator?: TruncatorSettings | undefined;
  /** Lets a tool that writes write; else the call is a dry run. */
  readonly apply?: boolean;
}

/** A call of the bench and how it went. */
export interface ToolRun extends ToolCall {
  readonly state: "running" | "done" | "failed";
  readonly result?: ToolResult;
  /** Why there is no envelope: the server refused or is gone. */
  readonly problem?: string;
}

/** The last call of the bench, and a function that makes the next; a new call gives up the one before. */
export function useToolRun(client: Client, onDone: (run: ToolRun) => void) {
  const [run, setRun] = useState<ToolRun>();
  const current = useRef<AbortController>(undefined);
  const start = useCallback(
    async (call: ToolCall) => {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      setRun((before) => ({ ...(before?.tool === call.tool ? before : undefined), ...call, state: "running" }));
      try {
        const { params, truncator, apply } = call;
        const result = await client.runTool(call.tool, { params, truncator, apply }, controller.signal);
        if (controller.signal.aborted) return;
        const done: ToolRun = { ...call, state: "done", result };
        setRun(done);
        // What comes after the answer must not hold up its drawing.
        setTimeout(onDone, 50, done);
      } catch (error) {
        if (controller.signal.aborted) return;
        setRun({ ...call, state: "failed", problem: error instanceof Error ? error.message : String(error) });
      }
    },
    [client, onDone],
  );
  return { run, start };
}

import type { ToolCall } from "@fstools/protocol";
import type { SafePath } from "../names/safe-path.ts";
import type { Sandbox } from "../sandbox.ts";
import type { FileVersion } from "../versions.ts";
import type { LineCounts } from "./after-change.ts";
import type { StepResult } from "./change-set.ts";
import { createChanger, type ChangePlan, type CurrentFile, type TargetRequest } from "./changer.ts";
import type { ChangeOptions } from "./placer.ts";

/** What a tool wants to do with one file. */
export interface FilePlan extends Omit<ChangePlan, "changes"> {
  /** The whole new content; undefined if nothing is to be written. */
  readonly bytes: Uint8Array | undefined;
  /** For `afterChange`. */
  readonly lines?: LineCounts;
}

/** A change of one file. */
export interface FileRequest<Plan extends FilePlan> extends TargetRequest {
  readonly tool: string;
  /** The tool that shows a file, for hints. */
  readonly reader: string;
  /** Looks at the file and decides; may throw. No other call of this process changes the file meanwhile. */
  plan(current: CurrentFile): Promise<Plan>;
}

/** The result. */
export interface ChangedFile<Plan extends FilePlan> {
  readonly path: SafePath;
  readonly plan: Plan;
  /** Undefined if the plan was to write nothing. */
  readonly written: WrittenFile | undefined;
}

/** A file that was written. */
export interface WrittenFile extends StepResult {
  readonly version: FileVersion;
}

/** Changes a whole file; calls on the same file run one after another. */
export type ChangeFile = <Plan extends FilePlan>(
  request: FileRequest<Plan>,
  call: ToolCall,
) => Promise<ChangedFile<Plan>>;

/** Creates the function with which a tool changes one file: a set of one change. */
export function createFileChanger(sandbox: Sandbox, options: ChangeOptions): ChangeFile {
  const change = createChanger(sandbox, options);
  return async (request, call) => {
    const { tool, reader, ...target } = request;
    const { plan, written } = await change(
      {
        tool,
        reader,
        targets: [target],
        plan: async ([current]) => {
          if (current === undefined || "error" in current) throw current?.error;
          const own = await request.plan(current);
          const { operation, bytes, lines } = own;
          const change = { kind: "write" as const, file: current, ...(lines && { lines }) };
          const changes = bytes === undefined ? [] : [{ ...change, bytes }];
          return { operation, changes, diff: () => own.diff(), path: current.path, own };
        },
      },
      call,
    );
    const [result] = written;
    const { version } = result ?? {};
    return { path: plan.path, plan: plan.own, written: version && { ...result, version } };
  };
}

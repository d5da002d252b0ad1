import { defineTool, describeTool } from "@fstools/protocol";
import type { DescribedTool, Outcome, Tool, ToolCall, ToolDescription, z } from "@fstools/protocol";
import type { Sandbox } from "../sandbox.ts";
import { explainPathErrors, type PathWords } from "./path-words.ts";
import { sandboxOf, type ToolOptions } from "./tool-options.ts";

/** What a tool for files is, apart from any project. */
export interface FileToolDescription<Schema extends z.ZodObject> extends Omit<ToolDescription<Schema>, "input"> {
  /** Its parameters, made on first use. */
  readonly params: () => ToolDescription<Schema>["input"];
  /** Its own sentences for what can go wrong with a path. */
  readonly words: PathWords;
}

/** What a tool does in one project. */
interface FileToolWork<Schema extends z.ZodObject, Data extends object, Stats extends object> {
  readonly run: (params: z.output<Schema>, call: ToolCall) => Promise<Outcome<Data, Stats>>;
  /** Words what `words` does not; returns anything else unchanged. */
  readonly explain?: (error: unknown, params: z.output<Schema>, call: Pick<ToolCall, "has">) => unknown;
}

/** A tool for files before it has a project. */
export interface FileTool<Schema extends z.ZodObject> {
  /** What a model or a host knows about it before it is called. */
  readonly definition: DescribedTool<z.output<Schema>>;
  /** Makes the tool in the sandbox of the options. @throws Error as createSandbox does */
  create<Data extends object, Stats extends object>(
    options: ToolOptions,
    setUp: (sandbox: Sandbox) => FileToolWork<Schema, Data, Stats>,
  ): Tool<z.output<Schema>, Data, z.input<Schema>, Stats>;
}

/** What all tools for files have in common: parameters, a sandbox, and words for what can go wrong with a path. */
export function defineFileTool<Schema extends z.ZodObject>({
  params,
  words,
  ...rest
}: FileToolDescription<Schema>): FileTool<Schema> {
  const spec: ToolDescription<Schema> = {
    ...rest,
    get input() {
      return params();
    },
  };
  const explainPath = explainPathErrors(words);
  return {
    definition: describeTool(spec),
    create: (options, setUp) => {
      const sandbox = sandboxOf(options);
      const { run, explain = (error) => error } = setUp(sandbox);
      return defineTool({
        ...spec,
        cwd: sandbox.cwd.relative,
        siblings: options.siblings,
        onInternalError: options.onInternalError,
        explain: (error, input, call) => explainPath(explain(error, input, call), input, call),
        run,
      });
    },
  };
}

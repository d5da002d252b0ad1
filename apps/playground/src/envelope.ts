import type { ToolResponse } from "@fstools/protocol";

/** Any tool's answer, whatever its data. */
export type Envelope = ToolResponse<object>;

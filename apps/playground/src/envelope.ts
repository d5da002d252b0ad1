import type { ToolResponse } from "@fstools/protocol";
import { z } from "zod";

/** Any tool's answer, whatever its data. */
export type Envelope = ToolResponse<object>;

/** Parameters of a tool call, as JSON holds them. */
export type Params = Readonly<Record<string, unknown>>;

/** Tells an envelope from anything else. Whether it keeps every rule is for `checkResponse` to say, and to show. */
export const envelopeSchema = z.custom<Envelope>(
  (value) => typeof value === "object" && value !== null && "status" in value && "data" in value && "text" in value,
  "This is not an envelope.",
);

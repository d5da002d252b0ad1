import type { ToolResponse } from "@fstools/protocol";

/** @throws if a tool answered with an error */
export function unwrap<Data extends object>(response: ToolResponse<Data>): Data {
  if (response.status === "error") throw new Error(response.text);
  return response.data;
}

import { isTruncatorData, type ToolResponse } from "./envelope.ts";

/** What goes into the model's context: `text`, and below it what `text` does not hold (a read's content, a preview). */
export function renderForModel(response: ToolResponse<object>): string {
  const body = bodyOf(response.data);
  return body === "" ? response.text : `${response.text}\n\n${body}`;
}

function bodyOf(data: object): string {
  if (isTruncatorData(data)) return data.preview;
  return "content" in data && typeof data.content === "string" ? data.content : "";
}

import { renderForModel } from "@fstools/protocol";
import type { Envelope } from "./envelope.ts";

/** What enters a model's context: the cheapest text that says it all. */
export function compactView(response: Envelope): string {
  return renderForModel(response);
}

/** The layout of the tools' documents, for comparison. */
export function documentView(response: Envelope): string {
  return renderForModel(response, { layout: "document" });
}

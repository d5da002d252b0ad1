import type { ToolResponse } from "../envelope.ts";
import { isRecord } from "../json.ts";
import { renderForModel, type RenderOptions } from "./render.ts";

/** A part of what goes into the model's context: text, or an image or document in base64. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly mimeType: string; readonly data: string };

/** What {@link renderForModel} gives, and the pictures and documents that come with the answer. */
export function renderParts(response: ToolResponse<object>, options: RenderOptions = {}): ModelPart[] {
  return [{ type: "text", text: renderForModel(response, options) }, ...mediaOf(response)];
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/u;

function* mediaOf({ status, data }: ToolResponse<object>): Generator<ModelPart> {
  if (status === "error") return;
  const { media, attachments }: Record<string, unknown> = { ...data };
  if (isRecord(media) && typeof media.mime_type === "string" && typeof media.data === "string") {
    yield { type: "media", mimeType: media.mime_type, data: media.data };
  }
  // opencode's form.
  for (const attachment of Array.isArray(attachments) ? attachments.filter(isRecord) : []) {
    const url = typeof attachment.url === "string" ? attachment.url : "";
    const [prefix, mimeType] = DATA_URL.exec(url) ?? [];
    if (prefix !== undefined && mimeType !== undefined) {
      yield { type: "media", mimeType, data: url.slice(prefix.length) };
    }
  }
}

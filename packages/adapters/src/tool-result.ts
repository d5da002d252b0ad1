import type { Media, ModelAnswer } from "./model-answer.ts";

/** A picture in a result. */
export interface ImageBlock {
  type: "image";
  source: { type: "base64"; media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp"; data: string };
}

/** A PDF in a result. */
export interface DocumentBlock {
  type: "document";
  source: { type: "base64"; media_type: "application/pdf"; data: string };
}

/** The text alone, or with pictures and documents. */
export type ToolResultContent = string | ({ type: "text"; text: string } | ImageBlock | DocumentBlock)[];

/** An answer as the content of a `tool_result`. */
export function contentOf({ text, media }: ModelAnswer): ToolResultContent {
  return media.length === 0 ? text : [{ type: "text", text }, ...media.map(blockOf)];
}

function blockOf({ mimeType, data }: Media): ImageBlock | DocumentBlock {
  const image = IMAGE_TYPES.find((type) => type === mimeType);
  return image === undefined
    ? { type: "document", source: { type: "base64", media_type: "application/pdf", data } }
    : { type: "image", source: { type: "base64", media_type: image, data } };
}

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

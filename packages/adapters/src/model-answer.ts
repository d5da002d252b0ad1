import { IMAGE_LIMITS, imageSize, type ModelPart, renderParts, type ToolResponse } from "@fstools/protocol";
import type { AdapterOptions } from "./agent-tool.ts";

/** A picture or a document, in base64. */
export type Media = Extract<ModelPart, { type: "media" }>;

/** What goes back to the model for one call. */
export interface ModelAnswer {
  readonly text: string;
  /** What is sent besides; the text says what cannot be. */
  readonly media: readonly Media[];
  readonly failed: boolean;
}

// Enough to pass the longest metadata in front of a frame header.
const HEADER_CHARS = 2 ** 20;
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/u;

/** What a model sees of an answer. */
export function modelAnswer(
  response: ToolResponse<object>,
  { lineNumbers, media: sendsMedia = true }: AdapterOptions,
): ModelAnswer {
  const media: Media[] = [];
  const texts: string[] = [];
  for (const part of renderParts(response, { lineNumbers })) {
    if (part.type === "text") {
      texts.push(part.text);
      continue;
    }
    const obstacle = sendsMedia ? obstacleOf(part) : CANNOT_BE_SENT;
    if (obstacle === undefined) media.push(part);
    else texts.push(`[Not delivered: ${part.mimeType}, ${obstacle}.]`);
  }
  return { text: texts.join("\n\n"), media, failed: response.status === "error" };
}

/** Whether a part is a picture rather than a document. */
export function isImage({ mimeType }: Media): boolean {
  return IMAGE.test(mimeType);
}

/** A part as a `data:` URL. */
export function dataUrl({ mimeType, data }: Media): string {
  return `data:${mimeType};base64,${data}`;
}

const CANNOT_BE_SENT = "which cannot be sent here";

function obstacleOf(part: Media): string | undefined {
  if (!isImage(part)) return part.mimeType === "application/pdf" ? undefined : CANNOT_BE_SENT;
  const bytes = Math.floor((part.data.length * 3) / 4);
  if (bytes > IMAGE_LIMITS.bytes) return `which is too large to show (${bytes} bytes, at most ${IMAGE_LIMITS.bytes})`;
  const size = imageSize(Uint8Array.from(atob(part.data.slice(0, HEADER_CHARS)), (unit) => unit.charCodeAt(0)));
  if (size === undefined) return "which has no readable header";
  const isTooLarge = Math.max(size.width, size.height) > IMAGE_LIMITS.side;
  return isTooLarge ? `which is too large to show (${size.width}x${size.height}, at most 2000x2000)` : undefined;
}

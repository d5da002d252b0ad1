import { echo, IMAGE_LIMITS, imageSize, type ModelPart, renderParts, type ToolResponse } from "@fstools/protocol";
import * as agent from "./agent-tool.ts";

/** A picture or a document, in base64. */
export type Media = Extract<ModelPart, { type: "media" }>;

export interface ModelAnswer {
  readonly text: string;
  /** What is sent besides; the text says what cannot be. */
  readonly media: readonly Media[];
  readonly failed: boolean;
}

// Enough to pass the longest metadata in front of a frame header.
const HEADER_CHARS = 2 ** 20;
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/u;

export function modelAnswer(
  response: ToolResponse<object>,
  { lineNumbers, media: sendsMedia = true }: agent.AdapterOptions,
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

export function isImage({ mimeType }: Media): boolean {
  return IMAGE.test(mimeType);
}

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

/** A tool of a shape that models were trained on, which answers in its own words. */
export interface TrainedTool {
  readonly name: string;
  /** Never rejects. */
  answer(input: unknown, options?: agent.CallOptions): Promise<ModelAnswer>;
}

/** Answers a call that a model made by name; an unknown name becomes an answer for the model, not an exception. */
export async function answerCall(
  given: agent.AgentTools<agent.AgentTool | TrainedTool>,
  name: string,
  input: unknown,
  callOptions: agent.CallOptions,
): Promise<ModelAnswer> {
  const { tools, options } = agent.unpack(given, callOptions);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    return failure(`Unknown tool '${echo(name)}'. Call one of: ${tools.map((one) => one.name).join(", ")}.`);
  }
  if ("answer" in tool) return tool.answer(input, options);
  return modelAnswer(await agent.callTool(tool, input, options), options);
}

export async function answerJsonCall(
  tools: agent.AgentTools,
  name: string,
  json: unknown,
  options: agent.CallOptions,
): Promise<ModelAnswer> {
  let input = json;
  try {
    // Some models send nothing at all for a call without arguments, and some servers the object itself.
    if (typeof json === "string") input = json.trim() === "" ? {} : JSON.parse(json);
  } catch {
    return failure("The arguments are not valid JSON. Repeat the call with one complete JSON object.");
  }
  return answerCall(tools, name, input, options);
}

function failure(text: string): ModelAnswer {
  return { text, media: [], failed: true };
}

import type { ImagePart, ModelMessage } from "ai";

/** Chat Completions carry no picture in a tool's answer: each follows in a message of the user. */
export function picturesBelow(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== "tool") return [message];
    const pictures: ImagePart[] = [];
    const content = message.content.map((part) => {
      if (part.type !== "tool-result" || part.output.type !== "content") return part;
      const texts: string[] = [];
      for (const one of part.output.value) {
        if ("text" in one) texts.push(one.text);
        if ("data" in one) pictures.push({ type: "image", image: one.data, mediaType: one.mediaType });
      }
      return { ...part, output: { type: "text" as const, value: texts.join("\n\n") } };
    });
    const below: ModelMessage = { role: "user", content: [{ type: "text", text: "What was read:" }, ...pictures] };
    return pictures.length === 0 ? [message] : [{ ...message, content }, below];
  });
}

import { expect, it } from "vitest";
import { renderForModel, renderParts, type ToolResponse } from "../../src/index.ts";

const PNG = "iVBORw0KGgo=";

function answer(data: object): ToolResponse<object> {
  const context = { cwd: ".", params_input: {} };
  return { status: "success", data, text: "Read image 'a.png' (PNG, 8x6, 12 bytes).", stats: { time_ms: 1 }, context };
}

it("gives the text alone where there is nothing else", () => {
  const response = answer({ content: "   1 | a\n" });
  expect(renderParts(response)).toEqual([{ type: "text", text: renderForModel(response) }]);
});

// Rule: A picture reaches the host beside the text, with its type.
it.each([
  ["Read's picture", { content: "", media: { mime_type: "image/png", data: PNG, width: 8, height: 6 } }],
  [
    "opencode's attachments",
    {
      attachments: [
        { type: "file", mime: "image/png", url: `data:image/png;base64,${PNG}` },
        "x",
        { url: "file:///a" },
      ],
    },
  ],
])("gives %s beside the text", (_, data) => {
  const response = answer(data);
  expect(renderParts(response)).toEqual([
    { type: "text", text: response.text },
    { type: "media", mimeType: "image/png", data: PNG },
  ]);
});

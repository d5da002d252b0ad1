import { describe, expect, it } from "vitest";
import { callTool } from "../src/agent-tool.ts";
import { projectTools } from "./example-tools.ts";

describe("callTool", () => {
  it("gives the truncator the tool's name and its answer", async () => {
    const [ls] = projectTools();
    const seen: unknown[] = [];
    const answer = await callTool(
      ls,
      { path: "src" },
      {
        truncate: (tool, response) => {
          seen.push(tool, response.status);
          return Promise.resolve({ ...response, text: "short" });
        },
      },
    );
    expect(seen).toEqual(["LS", "success"]);
    expect(answer.text).toBe("short");
  });

  it("takes any object with a name, a description, a schema and run", async () => {
    const [ls] = projectTools();
    const { name, description, jsonSchema } = ls;
    const run = (params: unknown) => ls.run(params);
    expect((await callTool({ name, description, jsonSchema, run }, {}, {})).status).toBe("success");
  });
});

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Params } from "../../envelope.ts";
import type { Info, ToolResult } from "../../server/api.ts";
import { ask, messageOf } from "../client.ts";
import { hrefOf } from "../route.ts";
import { Lines, plainRows } from "../ui/lines.tsx";
import { Problem } from "../ui/problem.tsx";
import { fieldsOf, toParams, toValues } from "./fields.ts";
import { ToolForm } from "./form.tsx";
import { Result, type Made } from "./result.tsx";

interface BenchProps {
  readonly info: Info;
  readonly route: { readonly tool: string; readonly query: URLSearchParams };
  readonly hash: string;
}

/** What a tool is tried with first. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  LS: { path: "." },
  Glob: { pattern: "**/*.md" },
  Grep: { pattern: "export" },
  Read: { path: "README.md" },
  read: { filePath: "README.md" },
};

/** Every tool by hand: a form on one side, the answer on the other. The call is in the address. */
export function Bench({ info, route, hash }: BenchProps) {
  const tool = info.tools.find(({ name }) => name === route.tool);
  const fields = fieldsOf(tool?.jsonSchema ?? {});
  const values = toValues(route.query);
  const [shown, setShown] = useState<{ readonly made: Made; readonly previous: Made | undefined }>();
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLDetailsElement>(null);

  const make = async (path: string, tool: string, params: Params, body: object, signal?: AbortSignal) => {
    try {
      const result = await ask<ToolResult>(`/api/${path}?project=${info.project.id}`, body, signal);
      setShown((before) => ({ made: { tool, params, ...result }, previous: before?.made }));
      setProblem(undefined);
      // Where there is no room for both, the answer is what one wants to see.
      if (box.current && window.matchMedia("(max-width: 1023px)").matches) box.current.open = false;
    } catch (error) {
      if (signal?.aborted !== true) setProblem(messageOf(error));
    }
  };
  const run = (apply: boolean, signal?: AbortSignal) => {
    const params = toParams(fields, values);
    return make(`tools/${route.tool}`, route.tool, params, { params, apply }, signal);
  };
  const undo = (change: string) => make("undo", "Undo", { change }, { change });
  // The address is the call.
  const runAddress = useEffectEvent((signal: AbortSignal) => {
    const isReady = fields.every(({ name, required }) => !required || (values[name] ?? "") !== "");
    if (isReady || route.query.size > 0) void run(false, signal);
  });
  useEffect(() => {
    const controller = new AbortController();
    runAddress(controller.signal);
    return () => controller.abort();
  }, [hash]);

  return (
    <main className="bench">
      <nav className="tools" aria-label="Tools">
        {info.tools.map(({ name, effect }) => (
          <a
            key={name}
            href={hrefOf(name, EXAMPLES[name] ?? {})}
            aria-current={name === route.tool ? "page" : undefined}
          >
            {name}
            {name === "read" && <small>opencode</small>}
            {effect === "write" && <small>dry run</small>}
          </a>
        ))}
      </nav>
      {tool && (
        <details className="form-box" ref={box} open>
          <summary>Parameters of {tool.name}</summary>
          <p>{tool.description}</p>
          <ToolForm
            key={hash}
            {...{ tool, fields, values }}
            onRun={(next) => {
              const to = hrefOf(tool.name, toParams(fields, next));
              if (to === window.location.hash) void run(false);
              else window.location.hash = to;
            }}
          />
          <details>
            <summary>As the model sees it: {tool.tokens} tokens of every request</summary>
            <Lines label="Definition" rows={plainRows(JSON.stringify(tool.jsonSchema, undefined, 2), "json")} />
          </details>
        </details>
      )}
      <div className="answer-column">
        <Problem>{problem}</Problem>
        {shown && <Result {...shown} onApply={() => void run(true)} onUndo={(change) => void undo(change)} />}
      </div>
    </main>
  );
}

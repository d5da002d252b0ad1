import type { CSSProperties } from "react";
import { sumOf, type AgentMessage } from "../../agent/messages.ts";

const HOW = `Counted with OpenAI's o200k tokenizer on what the model reads. The other two are computed from the same
answers: each file that was read or had a match as a whole, and the tools of @modelcontextprotocol/server-filesystem as
its documentation describes them. Neither is run.`;

/** What the tools put into the context, beside what other ways to the same facts would have put there. */
export function Economy({ messages }: { readonly messages: readonly AgentMessage[] }) {
  const facts = messages.flatMap(({ metadata }) => Object.values(metadata?.calls ?? {}));
  const sum = sumOf(facts.flatMap(({ tokens }) => tokens ?? []));
  const [ours, whole, server] = [sum.entered, sum.wholeFiles, sum.mcpFilesystem].map((one) => one.toLocaleString("en"));
  const most = Math.max(1, sum.wholeFiles, sum.mcpFilesystem, sum.entered);
  const bars = { "these tools": sum.entered, "whole files": sum.wholeFiles, "filesystem server": sum.mcpFilesystem };
  return (
    <section className="economy" aria-label="What it costs">
      <p>
        {/* One text node each: a node behind a number that grows would move. */}
        <strong>{`${ours} tokens`}</strong>
        {` instead of ${whole} (whole files) / ${server} (filesystem server)`}
      </p>
      {Object.entries(bars).map(([name, tokens]) => (
        <p key={name} className="bar" aria-hidden style={{ "--part": tokens / most } as CSSProperties}>
          {name} <b>{tokens.toLocaleString("en")}</b>
        </p>
      ))}
      <p className="hint" title={HOW}>
        The other two are computed, not run.
      </p>
    </section>
  );
}

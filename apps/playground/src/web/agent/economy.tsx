import type { AgentMessage } from "../../agent/messages.ts";
import { sumOf } from "../../costs.ts";

const HOW = `Counted with OpenAI's o200k tokenizer on what the model reads. The other two are computed from the same
answers: each file that was read or had a match as a whole, and the tools of @modelcontextprotocol/server-filesystem as
its documentation describes them. Neither is run.`;

/** What the tools put into the context, beside what other ways to the same facts would have put there. */
export function Economy({ messages }: { readonly messages: readonly AgentMessage[] }) {
  const calls = messages.flatMap(({ metadata }) => Object.values(metadata?.calls ?? {}));
  const { entered, wholeFiles, mcpFilesystem } = sumOf(calls.map(({ tokens }) => tokens));
  const [ours, whole, server] = [entered, wholeFiles, mcpFilesystem].map((tokens) => tokens.toLocaleString("en"));
  const rows = { "these tools": entered, "whole files": wholeFiles, "filesystem server": mcpFilesystem };
  return (
    <figure className="economy">
      <p>
        {/* One text node each: a node behind a number that grows would move. */}
        <strong>{`${ours} tokens`}</strong>
        {` instead of ${whole} (whole files) / ${server} (filesystem server)`}
      </p>
      <dl>
        {Object.entries(rows).map(([name, tokens]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <meter max={Math.max(1, ...Object.values(rows))} value={tokens} aria-label={`Tokens of ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      <figcaption title={HOW}>What the answers above cost the model. The other two are computed.</figcaption>
    </figure>
  );
}

import type { AgentMessage } from "../../agent/messages.ts";
import { sumOf } from "../../costs.ts";

const format = (tokens: number) => tokens.toLocaleString("en");

/** What the tools put into the context, beside what other ways to the same facts would have put there. */
export function Economy({ messages }: { readonly messages: readonly AgentMessage[] }) {
  const calls = messages.flatMap(({ metadata }) => Object.values(metadata?.calls ?? {}));
  const { entered, wholeFiles, mcpFilesystem } = sumOf(calls.map(({ tokens }) => tokens));
  const most = Math.max(entered, wholeFiles, mcpFilesystem, 1);
  const rows = [
    ["these tools", entered],
    ["whole files", wholeFiles],
    ["filesystem server", mcpFilesystem],
  ] as const;
  return (
    <figure className="economy">
      <p>
        <strong>{format(entered)} tokens</strong> instead of {format(wholeFiles)} (whole files) /{" "}
        {format(mcpFilesystem)} (filesystem server)
      </p>
      <dl>
        {rows.map(([name, tokens]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <meter min={0} max={most} value={tokens} aria-label={`Tokens of ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      <figcaption title="Counted with OpenAI's o200k tokenizer on what the model reads. The other two are computed from the same answers: each file that was read or had a match as a whole, and the tools of @modelcontextprotocol/server-filesystem as its documentation describes them. Neither is run.">
        What the answers in this conversation cost the model. The other two are computed.
      </figcaption>
    </figure>
  );
}

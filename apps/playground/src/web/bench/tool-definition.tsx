import { useEffect, useState } from "react";
import type { Info } from "../../server/api.ts";
import type { Client } from "../api-client.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { tokenCount } from "../ui/token-count.ts";

interface ToolDefinitionProps {
  readonly tool: Info["tools"][number];
  readonly client: Client;
}

/** A tool as the model sees it, on demand: description, schema and what they cost. */
export function ToolDefinition({ tool, client }: ToolDefinitionProps) {
  const costs = useDefinitionCosts(client);
  const cost = costs?.[tool.name];
  const { name, description, jsonSchema } = tool;
  const definition = () => JSON.stringify({ name, description, parameters: jsonSchema }, undefined, 2);
  return (
    <details className="definition">
      <summary>
        As the model sees it
        <span className="cost">{cost === undefined ? "" : `${tokenCount(cost)} tokens of every request`}</span>
      </summary>
      <pre tabIndex={0} aria-label="Description for the model">
        {description.trim()}
      </pre>
      <pre tabIndex={0} aria-label="JSON Schema of the parameters">
        {JSON.stringify(jsonSchema, undefined, 2)}
      </pre>
      <CopyButton label="definition" words="Copy as JSON" text={definition} />
    </details>
  );
}

function useDefinitionCosts(client: Client): Readonly<Record<string, number>> | undefined {
  const [costs, setCosts] = useState<Readonly<Record<string, number>>>();
  useEffect(() => {
    const controller = new AbortController();
    // What a definition costs is an extra; without it the page says nothing.
    client.definitionCosts(controller.signal).then(setCosts, () => undefined);
    return () => {
      controller.abort();
    };
  }, [client]);
  return costs;
}

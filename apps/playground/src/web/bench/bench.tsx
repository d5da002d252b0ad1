import { useCallback, useEffect, useMemo, useState, type SyntheticEvent } from "react";
import type { Info } from "../../server/api.ts";
import type { Client } from "../api-client.ts";
import { fieldsOf, paramsFromQuery, toParams, toValues, type FormValues } from "../fields.ts";
import { hrefOf, parseRoute, useHash } from "../route.ts";
import { Tabs } from "../ui/tabs.tsx";
import { CallHistory } from "./call-history.tsx";
import { ResultView } from "./result-view.tsx";
import { ToolDefinition } from "./tool-definition.tsx";
import { ToolForm } from "./tool-form.tsx";
import { TRUNCATOR_OFF, TruncatorSwitch } from "./truncator-switch.tsx";
import { useCallHistory } from "./use-call-history.ts";
import { useToolRun } from "./use-tool-run.ts";

const START = hrefOf("LS", { path: "." });

/** The tool bench. The address holds the call, so that links, the back button and reloading all work. */
export function Bench({ info, client }: { readonly info: Info; readonly client: Client }) {
  const hash = useHash();
  const route = parseRoute(hash === "" || hash === "#" ? START : hash);
  const [truncator, setTruncator] = useState(TRUNCATOR_OFF);
  const [drafts, setDrafts] = useState<Readonly<Record<string, FormValues>>>({});
  const [chosen, setChosen] = useState(route?.tool ?? "LS");
  const { calls, remember, forget } = useCallHistory(client.project);
  const { run, start } = useToolRun(client, remember);
  const tool = info.tools.find(({ name }) => name === chosen);
  const writes = tool?.effect === "write";
  const fields = useMemo(
    () => (tool ? fieldsOf(tool.jsonSchema).filter(({ name }) => name !== "dry_run") : []),
    [tool],
  );

  const runRoute = useCallback(
    (address: string) => {
      const target = parseRoute(address);
      if (!target) return;
      const known = info.tools.find(({ name }) => name === target.tool);
      const params = paramsFromQuery(known ? fieldsOf(known.jsonSchema) : [], target.query);
      setChosen(target.tool);
      setDrafts((before) => ({ ...before, [target.tool]: toValues(target.query) }));
      void start({ tool: target.tool, params, truncator: truncator.on ? truncator.settings : undefined });
    },
    [info, start, truncator],
  );

  // A change of the address, or of the truncator, makes the call again.
  useEffect(() => {
    runRoute(hash === "" || hash === "#" ? START : hash);
  }, [hash, runRoute]);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const address = hrefOf(chosen, toParams(fields, drafts[chosen] ?? {}));
    if (address === window.location.hash) runRoute(address);
    else window.location.hash = address;
  };

  return (
    <section className="pane bench" aria-labelledby="bench-title">
      <h2 id="bench-title" className="pane-title">
        Tool bench
      </h2>
      <form
        onSubmit={submit}
        noValidate
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      >
        <Tabs label="Tool" className="tools" choices={info.tools.map(toolChoice)} value={chosen} onChange={setChosen} />
        {tool && <p className="description">{firstSentence(tool.description)}</p>}
        <ToolForm
          tool={chosen}
          fields={fields}
          values={drafts[chosen] ?? {}}
          onChange={(values) => {
            setDrafts({ ...drafts, [chosen]: values });
          }}
        />
        <div className="actions">
          <button type="submit" className="primary">
            {writes ? `Try ${chosen} (dry run)` : `Run ${chosen}`} <kbd>Ctrl+Enter</kbd>
          </button>
          <TruncatorSwitch state={truncator} onChange={setTruncator} />
        </div>
      </form>
      {tool && <ToolDefinition tool={tool} client={client} />}
      {run && (
        <ResultView
          run={run}
          client={client}
          onApply={() => {
            void start({ tool: run.tool, params: run.params, apply: true });
          }}
        />
      )}
      <CallHistory calls={calls} onForget={forget} />
    </section>
  );
}

function toolChoice({ name }: Info["tools"][number]) {
  const label =
    name === "read" ? (
      <>
        read <small>opencode</small>
      </>
    ) : (
      name
    );
  return { value: name, label };
}

function firstSentence(description: string): string {
  return /^.*?\.(?=\s|$)/su.exec(description.trim())?.[0] ?? description;
}

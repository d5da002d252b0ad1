import { useEffect, useState } from "react";
import type { Info } from "../server/api.ts";
import { Agent } from "./agent/agent.tsx";
import { Bench } from "./bench/bench.tsx";
import { ask, messageOf } from "./client.ts";
import { parseRoute, useHash, useSaved } from "./route.ts";

const THEMES = { auto: "Auto", light: "Light", dark: "Dark" } as const;

/** The page: a header, and below it the agent or the tool bench. */
export function App() {
  const [id, setId] = useSaved("fstools-project", "");
  const [info, setInfo] = useState<Info>();
  const [problem, setProblem] = useState<string>();
  const hash = useHash();
  const route = parseRoute(hash);

  useEffect(() => {
    const controller = new AbortController();
    const load = (project: string) => ask<Info>(`/api/info?project=${project}`, undefined, controller.signal);
    load(id)
      // A project of an earlier start may not be there any more.
      .catch((error: unknown) => (id === "" ? Promise.reject(error as Error) : load("")))
      .then(setInfo)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(messageOf(error));
      });
    return () => {
      controller.abort();
    };
  }, [id]);

  return (
    <div className="app">
      <header className="top">
        <a className="brand" href="#/">
          <img src="/icon.svg" alt="" width="24" height="24" />
          <h1>
            fstools <span>playground</span>
          </h1>
        </a>
        <nav aria-label="Views">
          <a href="#/" aria-current={route ? undefined : "page"}>
            Agent
          </a>
          <a href={route ? hash : "#/tool/Grep"} aria-current={route ? "page" : undefined}>
            Tool bench
          </a>
        </nav>
        {info && (
          <label className="project">
            <span className="wide-only">Project</span>
            <select
              aria-label="Project"
              value={info.project.id}
              onChange={({ target }) => {
                window.location.hash = route ? "#/tool/LS?path=." : "#/";
                setId(target.value);
              }}
            >
              {info.projects.map(({ id: one, name }) => (
                <option key={one} value={one}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <Theme />
      </header>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {info && !route && <Agent key={info.project.id} info={info} />}
      {info && route && <Bench key={info.project.id} info={info} route={route} hash={hash} />}
    </div>
  );
}

function Theme() {
  const [theme, setTheme] = useSaved("fstools-theme", "auto");
  const names = Object.keys(THEMES) as (keyof typeof THEMES)[];
  const shown = names.find((name) => name === theme) ?? "auto";
  useEffect(() => {
    document.documentElement.dataset.theme = shown;
  }, [shown]);
  const next = names[(names.indexOf(shown) + 1) % names.length] ?? "auto";
  return (
    <button
      type="button"
      className="quiet"
      aria-label={`Theme: ${shown}`}
      onClick={() => {
        setTheme(next);
      }}
    >
      {THEMES[shown]}
    </button>
  );
}

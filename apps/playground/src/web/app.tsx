import { useEffect, useRef } from "react";
import type { Info } from "../server/api.ts";
import { Agent } from "./agent/agent.tsx";
import { Bench } from "./bench/bench.tsx";
import { useAnswer } from "./client.ts";
import { parseRoute, useHash, useSaved } from "./route.ts";
import { Problem } from "./ui/problem.tsx";

const THEMES: Readonly<Record<string, string>> = { auto: "light", light: "dark", dark: "auto" };

/** The page: a header, and below it the agent or the tool bench. */
export function App() {
  const [id, setId] = useSaved("fstools-project", () => "");
  const [theme, setTheme] = useSaved("fstools-theme", () => "auto");
  const { answer: info, problem } = useAnswer<Info>(`/api/info?project=${id}`);
  // A question about another project than the one that is shown waits for that one.
  const question = useRef<string>(undefined);
  const hash = useHash();
  const route = parseRoute(hash);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const takeQuestion = () => {
    const asked = question.current;
    question.current = undefined;
    return asked;
  };
  const askElsewhere = (project: string, asked: string) => {
    question.current = asked;
    setId(project);
  };
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
        <select
          aria-label="Project"
          value={info?.project.id}
          onChange={({ target }) => {
            window.location.hash = route ? "#/tool/LS?path=." : "#/";
            setId(target.value);
          }}
        >
          {info?.projects.map(({ id: one, name }) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="quiet theme"
          aria-label={`Theme: ${theme}`}
          onClick={() => setTheme(THEMES[theme] ?? "auto")}
        >
          {theme}
        </button>
      </header>
      <Problem>{problem}</Problem>
      {info && !route && <Agent key={info.project.id} {...{ info, takeQuestion }} onAskElsewhere={askElsewhere} />}
      {info && route && <Bench key={info.project.id} {...{ info, route, hash }} />}
    </div>
  );
}

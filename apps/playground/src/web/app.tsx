import type { Info } from "../server/api.ts";
import { Agent } from "./agent/agent.tsx";
import { Bench } from "./bench/bench.tsx";
import { useAnswer } from "./client.ts";
import { parseRoute, useHash, useSaved } from "./route.ts";
import { Problem } from "./ui/problem.tsx";

const ICON = new URL("./icon.svg", import.meta.url).href;

/** The page: a header, and below it the agent or the tool bench. */
export function App() {
  const [id, setId] = useSaved("fstools-project", () => "");
  const { answer: info, problem } = useAnswer<Info>(`/api/info?project=${id}`);
  const hash = useHash();
  const route = parseRoute(hash);
  return (
    <div className="app">
      <header className="top">
        <img src={ICON} alt="" width="24" height="24" />
        <h1>
          fstools <span>playground</span>
        </h1>
        <nav aria-label="Views">
          <a href="#/" aria-current={route ? undefined : "page"}>
            Agent
          </a>
          <a href={route ? hash : "#/tool/Grep?pattern=export"} aria-current={route ? "page" : undefined}>
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
      </header>
      <Problem>{problem}</Problem>
      {info &&
        (route ? (
          <Bench key={info.project.id} {...{ info, route, hash }} />
        ) : (
          <Agent key={info.project.id} info={info} onOpen={setId} />
        ))}
    </div>
  );
}

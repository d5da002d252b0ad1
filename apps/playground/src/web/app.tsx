import { useEffect, useRef, useState, type MouseEvent } from "react";
import type { Info } from "../server/api.ts";
import { AgentPane } from "./agent/agent-pane.tsx";
import { fetchInfo } from "./api-client.ts";
import { Bench } from "./bench/bench.tsx";
import { useHash } from "./route.ts";
import { Icon } from "./ui/icon.tsx";
import { Tabs } from "./ui/tabs.tsx";
import { useTheme } from "./ui/theme.ts";

type PaneName = "bench" | "agent";

const PANES = [
  { value: "bench", label: "Tool bench" },
  { value: "agent", label: "Agent" },
] as const;

/** The page: tool bench and agent, side by side where there is room. */
export function App() {
  const { info, problem } = useInfo();
  const [pane, setPane] = useState<PaneName>("bench");
  const question = useRef<HTMLTextAreaElement>(null);
  const hash = useHash();

  // A new call in the address must show the bench on a narrow screen.
  useEffect(() => {
    setPane("bench");
  }, [hash]);

  // So must a link to the call that the address has already.
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a[href^="#/tool/"]')) setPane("bench");
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      setPane("agent");
      // The pane may only now become visible.
      requestAnimationFrame(() => question.current?.focus());
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
    };
  }, []);

  return (
    <div className={`app show-${pane}`}>
      <Header project={info?.project} />
      <Tabs label="Pane" className="pane-tabs" choices={PANES} value={pane} onChange={setPane} />
      {problem !== undefined && (
        <p className="problem page-problem" role="alert">
          {problem}
        </p>
      )}
      {info && (
        <main className="panes" onClick={onClick}>
          <Bench info={info} />
          <AgentPane info={info} inputRef={question} />
        </main>
      )}
    </div>
  );
}

function useInfo(): { info: Info | undefined; problem: string | undefined } {
  const [info, setInfo] = useState<Info>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    fetchInfo(controller.signal).then(setInfo, (error: unknown) => {
      if (!controller.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => {
      controller.abort();
    };
  }, []);
  return { info, problem };
}

const THEME_LABELS = { auto: "Auto", light: "Light", dark: "Dark" } as const;

function Header({ project }: { readonly project: string | undefined }) {
  const [theme, nextTheme] = useTheme();
  return (
    <header className="top">
      <img src="/icon.svg" alt="" width="24" height="24" />
      <h1>
        fstools <span>playground</span>
      </h1>
      {project !== undefined && (
        <span className="project" title="The project that the tools see">
          {project}
        </span>
      )}
      <button type="button" className="quiet theme" onClick={nextTheme} aria-label={`Theme: ${THEME_LABELS[theme]}`}>
        <Icon name={theme} /> {THEME_LABELS[theme]}
      </button>
    </header>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

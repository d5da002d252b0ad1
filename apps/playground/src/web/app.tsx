import { useEffect, useMemo, useRef, useState, type MouseEvent } from "react";
import { z } from "zod";
import type { Info } from "../server/api.ts";
import { AgentPane } from "./agent/agent-pane.tsx";
import { createClient, openDemo, type ProjectId } from "./api-client.ts";
import { Bench } from "./bench/bench.tsx";
import { hrefOf, useHash } from "./route.ts";
import { Icon } from "./ui/icon.tsx";
import { Tabs } from "./ui/tabs.tsx";
import { useTheme } from "./ui/theme.ts";
import { useSaved } from "./ui/use-saved.ts";

const PANES = [
  { value: "bench", label: "Tool bench" },
  { value: "agent", label: "Agent" },
] as const;

/** What the bench shows when the demo is opened. */
const DEMO_HASH = hrefOf("LS", { path: "." });

const paneSchema = z.enum(["bench", "agent"]);
const projectSchema = z.enum(["main", "demo"]);

/** The page: tool bench and agent, side by side where there is room. */
export function App() {
  const { id, info, problem, firstQuestion, chooseMain, chooseDemo } = useProject();
  const client = useMemo(() => createClient(id), [id]);
  const [pane, setPane] = useSaved("tab", "fstools-pane", paneSchema, "bench");
  const question = useRef<HTMLTextAreaElement>(null);
  const hash = useHash();

  // A new call in the address must show the bench on a narrow screen.
  const shownHash = useRef(hash);
  useEffect(() => {
    if (shownHash.current !== hash) setPane("bench");
    shownHash.current = hash;
  }, [hash, setPane]);

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
  }, [setPane]);

  return (
    <div className={`app show-${pane}`}>
      <Header
        info={info}
        onMain={chooseMain}
        onDemo={() => {
          chooseDemo();
        }}
      />
      <nav className="pane-tabs" aria-label="Panes">
        <Tabs label="Pane" choices={PANES} value={pane} onChange={setPane} />
      </nav>
      {problem !== undefined && (
        <p className="problem page-problem" role="alert">
          {problem}
        </p>
      )}
      {info && (
        <main className="panes" onClick={onClick} key={`${id} ${firstQuestion?.at ?? ""}`}>
          <Bench info={info} client={client} />
          <AgentPane
            info={info}
            client={client}
            inputRef={question}
            firstQuestion={firstQuestion?.question}
            onAskDemo={(asked) => {
              // The new address does not mean that the user wants to see the bench.
              shownHash.current = DEMO_HASH;
              chooseDemo(asked);
            }}
          />
        </main>
      )}
    </div>
  );
}

interface ShownProject {
  readonly id: ProjectId;
  readonly info: Info | undefined;
  readonly problem: string | undefined;
  /** What to ask the demo as soon as it is there; `at` tells one visit from the next. */
  readonly firstQuestion: { readonly question: string | undefined; readonly at: number } | undefined;
  readonly chooseMain: () => void;
  /** Shows a fresh copy of the demo, and asks a question there if one is given. */
  readonly chooseDemo: (question?: string) => void;
}

function useProject(): ShownProject {
  const [id, setId] = useSaved<ProjectId>("tab", "fstools-project", projectSchema, "main");
  const [info, setInfo] = useState<Info>();
  const [problem, setProblem] = useState<string>();
  const [firstQuestion, setFirstQuestion] = useState<ShownProject["firstQuestion"]>();
  const failed = (error: unknown) => {
    setProblem(error instanceof Error ? error.message : String(error));
  };

  // At start only: what was chosen later comes with its own info.
  const start = useRef(id);
  useEffect(() => {
    const controller = new AbortController();
    const load = (project: ProjectId): Promise<void> =>
      createClient(project)
        .info(controller.signal)
        .then((loaded) => {
          setId(project);
          setInfo(loaded);
        });
    load(start.current)
      // The copy of the demo is gone after the server was restarted.
      .catch((error: unknown) => (start.current === "demo" ? load("main") : Promise.reject(toError(error))))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) failed(error);
      });
    return () => {
      controller.abort();
    };
  }, [setId]);

  return {
    ...{ id, info, problem, firstQuestion },
    chooseMain: () => {
      createClient("main")
        .info(new AbortController().signal)
        .then((loaded) => {
          setFirstQuestion(undefined);
          setId("main");
          setInfo(loaded);
        }, failed);
    },
    chooseDemo: (question) => {
      openDemo().then((loaded) => {
        for (const key of ["fstools-chat-demo", "fstools-calls-demo"]) window.sessionStorage.removeItem(key);
        window.location.hash = DEMO_HASH;
        setFirstQuestion((before) => ({ question, at: (before?.at ?? 0) + 1 }));
        setId("demo");
        setInfo(loaded);
      }, failed);
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const THEME_LABELS = { auto: "Auto", light: "Light", dark: "Dark" } as const;

interface HeaderProps {
  readonly info: Info | undefined;
  readonly onMain: () => void;
  readonly onDemo: () => void;
}

function Header({ info, onMain, onDemo }: HeaderProps) {
  const [theme, nextTheme] = useTheme();
  const inDemo = info?.project.kind === "demo";
  return (
    <header className="top">
      <img src="/icon.svg" alt="" width="24" height="24" />
      <h1>
        fstools <span>playground</span>
      </h1>
      {info && (
        <span className="project" title={`The project that the tools see. ${info.project.reason}`}>
          {info.project.name}
          {inDemo && " (demo copy)"}
          {!info.project.writable && " · read-only"}
        </span>
      )}
      {info && (
        <button type="button" className="quiet switch-project" onClick={inDemo ? onMain : onDemo}>
          {inDemo ? "Back to the project" : "Open the demo"}
        </button>
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

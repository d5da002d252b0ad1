import { createTruncator, renderForModel, type Tool, type Truncator, type TruncatorOptions } from "@fstools/protocol";
import { createHistory, createOutputStore, type History, type RootOptions } from "@fstools/sandbox";
import { createToolset, TOOL_NAMES, WRITING_TOOL_NAMES } from "@fstools/toolset";
import { consumeStream } from "ai";
import { createChanges } from "./agent/changes.ts";
import { createConversation, type Conversation } from "./agent/conversation.ts";
import type { AgentMessage } from "./agent/messages.ts";
import { chooseModel, type ChosenModel } from "./agent/model.ts";
import type { Envelope } from "./envelope.ts";
import { createMeasure } from "./measure.ts";
import { OPENING_QUESTIONS, type ProjectKind } from "./questions.ts";

/** When the truncator cuts, and what it keeps. */
type TruncatorLimits = Pick<TruncatorOptions, "maxLines" | "maxBytes" | "direction">;

/** Which project to open, and how. */
export interface ProjectOptions {
  /** A directory, or several; then every path begins with the name of its root. */
  readonly root: string | readonly RootOptions[];
  /** Files that stay invisible, besides secrets. */
  readonly deny?: readonly string[];
  /**
   * Offers tools that change files.
   * @default false
   */
  readonly writable?: boolean;
  /** A directory outside the project that keeps what is changed, so that it can be undone. */
  readonly history?: string | undefined;
  /** @default "any" */
  readonly kind?: ProjectKind;
}

/** How an agent of a project works. */
export interface AgentSettings {
  readonly chosen: ChosenModel;
  readonly maxSteps: number;
  readonly limits?: TruncatorLimits;
  /** What was said before. */
  readonly messages?: readonly AgentMessage[];
}

/** A project that the playground shows: its tools, and the truncator that spills into it. */
export interface Project {
  /** How requests name it. */
  readonly id: string;
  /** Its place on the disk, or places; the page never learns them. */
  readonly root: string;
  /** Its own name, to show. */
  readonly name: string;
  readonly kind: ProjectKind;
  readonly writable: boolean;
  /** Every tool, for the bench; "read" is the opencode flavour. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The names of tools that are not offered here. */
  readonly off: readonly string[];
  /** What was changed, if that is kept. */
  readonly history: History | undefined;
  /** The id of the change that an answer tells of. */
  changeIn(response: Envelope): Promise<string | undefined>;
  /** Starts a conversation with tools of its own, which ask before they change a file. */
  converse(settings: AgentSettings): Conversation;
  /** A conversation that has been held, for the first look; made when it is first asked for. */
  opening(): Promise<readonly AgentMessage[]>;
  createTruncator(limits?: TruncatorLimits): Truncator;
}

// What the page can show; of a picture the models here, of Chat Completions, are told that it is there.
const read = { media: ["image", "pdf"] } as const;

/** Opens a project; throws if its root is not an existing directory. */
export function openProject(options: ProjectOptions): Project {
  const { root, deny = [], writable = false, history: directory, kind = "any" } = options;
  const roots = typeof root === "string" ? [{ path: root }] : root;
  const names = TOOL_NAMES.filter((name) => writable || !WRITING_TOOL_NAMES.includes(name));
  const history = directory === undefined ? undefined : createHistory({ directory });
  const shared = { read, ...(history && { history }) };
  const bench = createToolset({ ...shared, roots, deny, gitignore: true, tools: names });
  const { sandbox } = bench;
  const store = createOutputStore(sandbox);
  const truncatorOf = (limits: TruncatorLimits = {}) => createTruncator({ store, render: renderForModel, ...limits });
  const changeIn: Project["changeIn"] = async ({ data, context: { path_resolved: path = "." } }) =>
    "applied" in data && data.applied === true ? (await history?.changes({ path, limit: 1 }))?.[0]?.id : undefined;
  const converse: Project["converse"] = ({ limits, ...settings }) => {
    const changes = createChanges();
    const measure = createMeasure(sandbox);
    const agentNames = names.filter((name) => name !== "read");
    const { tools } = createToolset({ ...shared, sandbox, tools: agentNames, confirm: changes.confirm });
    return createConversation({
      ...settings,
      ...{ tools, changes, truncate: truncatorOf(limits) },
      factsOf: async (ms, response) => ({ ms, tokens: await measure(response), changeId: await changeIn(response) }),
    });
  };
  let opening: Promise<readonly AgentMessage[]> | undefined;
  return {
    id: kind in OPENING_QUESTIONS ? kind : "main",
    name: roots.map(({ path }) => path.split(/[\\/]/u).findLast((part) => part !== "") ?? "/").join(", "),
    root: roots.map(({ path }) => path).join(", "),
    ...{ kind, writable, history, changeIn, converse },
    tools: new Map(bench.tools.map((tool) => [tool.name, tool])),
    off: TOOL_NAMES.filter((name) => !names.includes(name)),
    opening: () => (opening ??= hold(converse, OPENING_QUESTIONS[kind])),
    createTruncator: truncatorOf,
  };
}

/** A real conversation of one question, with the offline agent. */
async function hold(converse: Project["converse"], question?: string): Promise<readonly AgentMessage[]> {
  if (question === undefined) return [];
  const conversation = converse({ chosen: chooseModel({}), maxSteps: 12 });
  conversation.ask(question);
  await consumeStream({ stream: conversation.answer(new AbortController().signal) });
  return conversation.messages;
}

import { label, bar, OURS, svg, THEIRS } from "../report/svg.ts";
import { table } from "../report/table.ts";
import { REQUESTS } from "./requests.ts";
import type { Results, ToolsetResult } from "./results.ts";
import { cheapestSame, scoreOf, sharedCost } from "./score.ts";
import { TASKS } from "./tasks.ts";

type SectionName = "headline" | "machine" | "sets" | "goals" | "shared" | "requests" | "over" | "tasks" | "absent";

/** How much dearer than the cheapest rival that shows the same an answer of ours may be. */
const ALLOWED = 1.05;

/** How many times fewer tokens ours should take over all tasks. */
const AIM = 1.3;

/** Tasks that ask for all of a large file: a set that shows it pays for it. */
const WHOLE_TEXTS = ["read-5000", "read-log"];

/** Why an answer of ours is dearer, for requests where that was looked into. */
const REASONS: Readonly<Record<string, string>> = {
  "list-10":
    "the two lines in front of the names (how many there are, and of which kind) are there for lists of any length",
  "list-100": "the same two lines",
  "glob-40": "the two lines in front; without them it would be nearly as cheap",
  "glob-1000": "the two lines in front, and the one that says how to go on",
  "read-200-of-5000": "two lines in front tell what is shown and how to go on",
  "read-chinese": "one line in front",
  "read-missing": "the answer names a file that is there, and what to do",
  "read-directory": "the answer names the tool that lists it, and what to do instead",
  "read-binary": "the answer names the file, and the parameter that reads it if it is text in another encoding",
  "read-image":
    "the tools return text; those that are cheaper hand over a picture beside their words, which is not counted here",
  "grep-rare": "two lines in front tell how many files were searched, which is what makes 'one match' trustworthy",
  "grep-common":
    "lines are grouped below their file, each file followed by a blank line; with one match a file the cheapest layout is one line for both",
};

/** The parts of the document, each under its name. */
export function sections(results: Results): Record<SectionName, string> {
  return {
    headline: headline(results),
    machine: machineLine(results),
    sets: setTable(results),
    goals: goalList(results),
    shared: sharedTable(results),
    requests: requestTable(results),
    over: overList(results),
    tasks: taskTable(results),
    absent: absentList(results),
  };
}

const thousands = (value: number) => value.toLocaleString("en");
const times = (value: number) => `${value.toFixed(2)}x`;

function byScore(toolsets: readonly ToolsetResult[]): ToolsetResult[] {
  return [...toolsets].sort(
    (one, other) => scoreOf(other).right - scoreOf(one).right || scoreOf(one).silent - scoreOf(other).silent,
  );
}

function headline({ toolsets }: Results): string {
  const lines = byScore(toolsets).map((toolset) => {
    const { right, told, silent } = scoreOf(toolset);
    const cells = [toolset.title, String(right), String(told), String(silent), thousands(toolset.definitionTokens)];
    return toolset.id === "fstools" ? cells.map((cell) => `**${cell}**`) : cells;
  });
  const head = [
    `${TASKS.length} tasks`,
    "right",
    "not right, and it says so",
    "not right, and nothing says so",
    "tokens of the definitions",
  ];
  return table(head, lines);
}

function machineLine({ machine, toolsets }: Results): string {
  const { date, node, system, processor, memory } = machine;
  return `Measured on ${date}: ${processor}, ${memory}, ${system}, Node ${node}; ${toolsets.length} sets of tools, ${TASKS.length} tasks, ${REQUESTS.length} requests.`;
}

function setTable({ toolsets }: Results): string {
  const lines = byScore(toolsets).map((toolset) => {
    const { right, told, silent, calls, tokens } = scoreOf(toolset);
    const elapsedMs = toolset.outcomes.reduce((sum, outcome) => sum + outcome.elapsedMs, 0);
    return [
      `${toolset.title} ${toolset.version}`,
      `${toolset.tools.length}: ${toolset.tools.map((name) => `\`${name.replace("mastra_workspace_", "…")}\``).join(", ")}`,
      thousands(toolset.definitionTokens),
      String(right),
      String(told),
      `**${silent}**`,
      String(calls),
      thousands(tokens),
      `${(elapsedMs / 1000).toFixed(1)} s`,
    ];
  });
  return table(["set", "tools", "definitions, tokens", "right", "told", "silent", "calls", "tokens", "time"], lines);
}

/** What was aimed at, and whether it was reached. */
function goalList(results: Results): string {
  const [ours, ...rivals] = results.toolsets;
  if (ours === undefined) return "";
  const own = scoreOf(ours);
  const best = Math.max(0, ...rivals.map((rival) => scoreOf(rival).right));
  const below = (without: readonly string[]) =>
    rivals
      .map((rival) => ({ rival, cost: sharedCost(ours, rival, without) }))
      .filter(({ cost }) => cost.theirs < cost.ours * AIM)
      .map(({ rival, cost }) => `${rival.title} ${times(cost.theirs / cost.ours)}`);
  const tokens = (without: readonly string[]) => {
    const names = below(without);
    return names.length === 0 ? verdict(true) : `${verdict(false)} (${names.join(", ")})`;
  };
  const { kept } = overOf(results);
  return [
    `- First in right answers: ${verdict(own.right > best)} (${own.right} of ${TASKS.length}, the next has ${best}).`,
    `- Nothing missing silently: ${verdict(own.silent === 0)} (${own.silent}).`,
    `- No answer to a request over ${ALLOWED} times the cheapest that shows the same: ${verdict(kept === REQUESTS.length)} (${kept} of ${REQUESTS.length}).`,
    `- At least ${AIM} times fewer tokens over all tasks: ${tokens([])}.`,
    `- The same without the whole texts: ${tokens(WHOLE_TEXTS)}.`,
  ].join("\n");
}

function verdict(isMet: boolean): string {
  return isMet ? "met" : "missed";
}

/** A set that fails early is cheap; so costs are compared over the tasks that both did. */
function sharedTable({ toolsets }: Results): string {
  const [ours, ...rivals] = toolsets;
  if (ours === undefined) return "";
  const lines = rivals.map((rival) => {
    const all = sharedCost(ours, rival);
    const some = sharedCost(ours, rival, WHOLE_TEXTS);
    return [
      rival.title,
      String(all.tasks),
      thousands(all.theirs),
      thousands(all.ours),
      times(all.theirs / all.ours),
      thousands(some.theirs),
      thousands(some.ours),
      times(some.theirs / some.ours),
      times(all.mean),
      String(all.cheaper),
    ];
  });
  const head = [
    "rival",
    "both right",
    "its tokens",
    "ours",
    "its / ours",
    "without whole texts: its",
    "ours",
    "its / ours",
    "mean over tasks",
    "cheaper in",
  ];
  return table(head, lines);
}

function ratio(results: Results, request: string) {
  const [ours, ...rivals] = results.toolsets;
  const own = ours?.requests.find((candidate) => candidate.request === request);
  const cheapest = cheapestSame(request, rivals);
  return own === undefined ? undefined : { own, cheapest, factor: own.tokens / (cheapest?.result.tokens ?? Infinity) };
}

function requestTable(results: Results): string {
  const [, ...rivals] = results.toolsets;
  const lines = REQUESTS.map(({ id, ask, parts }) => {
    const found = ratio(results, id);
    const others = rivals.map((rival) => {
      const result = rival.requests.find((candidate) => candidate.request === id);
      if (result === undefined) return "";
      return `${thousands(result.tokens)} (${thousands(result.shown)})${result.showsOurs ? " =" : ""}`;
    });
    const own = found === undefined ? "" : `**${thousands(found.own.tokens)}** (${thousands(found.own.shown)})`;
    const versus = found?.cheapest === undefined ? "nobody shows it" : times(found.factor);
    return [
      ask,
      thousands(parts.length),
      own,
      ...others,
      found !== undefined && found.factor > ALLOWED ? `**${versus}**` : versus,
    ];
  });
  return table(["request", "of", "fstools", ...rivals.map(({ title }) => title), "of the cheapest ="], lines);
}

function overOf(results: Results) {
  const over = REQUESTS.flatMap(({ id, ask }) => {
    const found = ratio(results, id);
    if (found?.cheapest === undefined || found.factor <= ALLOWED) return [];
    return [{ id, ask, own: found.own.tokens, cheapest: found.cheapest }];
  });
  return { over, kept: REQUESTS.length - over.length };
}

function overList(results: Results): string {
  const { over, kept } = overOf(results);
  const summary = `In ${kept} of ${REQUESTS.length} requests our answer costs at most ${ALLOWED} times the cheapest that shows the same.`;
  const lines = over.map(({ id, ask, own, cheapest: { rival, result } }) => {
    const reason = REASONS[id] ?? "not looked into yet";
    return `- ${ask}: ${own} tokens, ${rival.title} ${result.tokens}; ${reason}.`;
  });
  return lines.length === 0 ? summary : `${summary} The others, and why:\n\n${lines.join("\n")}`;
}

const SIGNS = { right: "✓", told: "told", silent: "**silent**" };

function taskTable({ toolsets }: Results): string {
  const lines = TASKS.map(({ id, ask }) => [
    ask,
    ...toolsets.map(({ outcomes }) => {
      const outcome = outcomes.find(({ task }) => task === id);
      return outcome === undefined ? "" : `${SIGNS[outcome.result]} ${outcome.calls} / ${thousands(outcome.tokens)}`;
    }),
  ]);
  return table(["task", ...toolsets.map(({ title }) => title)], lines);
}

function absentList({ absent }: Results): string {
  if (absent.length === 0) return "All rivals of the list took part.";
  return absent.map(({ title, version, reason }) => `- ${title} ${version} did not take part: ${reason}`).join("\n");
}

const WIDTH = 900;
const NAMES = 200;
const STEP = 26;
const LIGHT = "#bf8700";
const BAD = "#cf222e";

/** A bar for each set: right, told, silent. */
export function chart({ toolsets }: Results): string {
  const unit = (WIDTH - NAMES - 190) / TASKS.length;
  const shapes = byScore(toolsets).flatMap((toolset, index) => {
    const { right, told, silent } = scoreOf(toolset);
    const y = 44 + index * STEP;
    return [
      label(NAMES - 8, y + 13, toolset.title, { anchor: "end", bold: toolset.id === "fstools" }),
      bar(NAMES, y, right * unit, 18, toolset.id === "fstools" ? OURS : THEIRS),
      bar(NAMES + right * unit, y, told * unit, 18, LIGHT),
      bar(NAMES + (right + told) * unit, y, silent * unit, 18, BAD),
      label(NAMES + TASKS.length * unit + 8, y + 13, `${right} right, ${told} told, ${silent} silent`),
    ];
  });
  const title = `${TASKS.length} tasks: right, not right and told (yellow), not right and silent (red)`;
  return svg(WIDTH, 56 + toolsets.length * STEP, title, [label(10, 22, title, { bold: true }), ...shapes]);
}

import { table } from "../report/table.ts";
import { partCount, REQUESTS } from "./requests.ts";
import { contenders, byScore, cheapestSame, isCheapEnough, scoreOf, sharedCost } from "./score.ts";
import type { Results, ToolsetResult } from "./score.ts";
import { TASKS } from "./tasks.ts";

const WHOLE_TEXTS = ["read-5000", "read-log"];

/** Why an answer of ours is more expensive, for requests where that was looked into. */
const REASONS: Readonly<Record<string, string>> = {
  "read-directory": "the answer says which tool lists it, and what to do instead",
  "read-binary": "the answer names the file, and the parameter that reads it if it is text in another encoding",
  "read-image": "the cheaper ones hand over a picture beside their words, which is not counted here",
  "read-missing": "the answer names a file that is there, and what to do",
};

const thousands = (value: number) => value.toLocaleString("en");
const times = (value: number) => `${value.toFixed(2)}x`;
const verdict = (isMet: boolean) => (isMet ? "met" : "missed");

export function sections(results: Results) {
  return {
    headline: headline(results),
    machine: machineLine(results),
    sets: setTable(results),
    goals: goalList(results),
    shared: sharedTable(results),
    requests: requestTable(results),
    tasks: taskTable(results),
    absent: absentList(results),
  };
}

function headline(results: Results): string {
  const lines = byScore(contenders(results)).map((toolset) => {
    const { right, told, silent } = scoreOf(toolset);
    const cells = [toolset.title, String(right), String(told), String(silent), thousands(toolset.definitionTokens)];
    return toolset.id === "fstools" ? cells.map((cell) => `**${cell}**`) : cells;
  });
  const words = ["right", "wrong, and it says so", "wrong, and silent", "tokens of the definitions"];
  return table([`${taskCount(results)} tasks`, ...words], lines);
}

const taskCount = ({ toolsets: [ours] }: Pick<Results, "toolsets">) => ours?.outcomes.length ?? 0;

function machineLine({ machine, toolsets }: Results): string {
  const { date, node, system, processor, memory } = machine;
  return `Measured on ${date}: ${processor}, ${memory}, ${system}, Node ${node}; ${contenders({ toolsets }).length} sets of tools, ${taskCount({ toolsets })} tasks, ${REQUESTS.length} requests.`;
}

function setTable({ toolsets }: Results): string {
  const lines = byScore(toolsets).map((toolset) => {
    const { right, told, silent, calls, tokens } = scoreOf(toolset);
    const elapsedMs = toolset.outcomes.reduce((sum, outcome) => sum + outcome.elapsedMs, 0);
    const figures = [toolset.tools.length, toolset.definitionTokens, right, told].map(thousands);
    const rest = [`**${silent}**`, thousands(calls), thousands(tokens), `${(elapsedMs / 1000).toFixed(1)}s`];
    return [`${toolset.title} ${toolset.version}`, ...figures, ...rest];
  });
  return table(["set", "tools", "definitions", "right", "told", "silent", "calls", "tokens", "time"], lines);
}

function goalList(results: Results): string {
  const [ours, ...rivals] = contenders(results);
  if (ours === undefined) return "";
  const own = scoreOf(ours);
  const best = Math.max(0, ...rivals.map((rival) => scoreOf(rival).right));
  const dearer = rivals.filter((rival) => sharedCost(ours, rival).mean < 1).map(({ title }) => title);
  const over = overOf(results);
  const dear = over.map(({ id, ask, own, cheapest: { rival, result } }) => {
    return `  - ${ask}: ${own} tokens, ${rival.title} ${result.tokens}; ${REASONS[id] ?? "not looked into yet"}.`;
  });
  return [
    `- First in right answers: ${verdict(own.right > best)} (${own.right} of ${taskCount(results)}, the next has ${best}).`,
    `- Nothing missing silently: ${verdict(own.silent === 0)} (${own.silent}).`,
    `- In the mean over tasks no rival is cheaper: ${verdict(dearer.length === 0)}${dearer.length === 0 ? "" : ` (${dearer.join(", ")})`}.`,
    `- No answer to a request over 1.05 times the cheapest that shows the same, or ten tokens above it: ${verdict(over.length === 0)} (${REQUESTS.length - over.length} of ${REQUESTS.length}).`,
    ...dear,
  ].join("\n");
}

/** A set that fails early is cheap; so costs are compared over the tasks that both did. */
function sharedTable({ toolsets }: Results): string {
  const [ours, ...rivals] = toolsets;
  if (ours === undefined) return "";
  const lines = rivals.map((rival) => {
    const all = sharedCost(ours, rival);
    const some = sharedCost(ours, rival, WHOLE_TEXTS);
    const costs = [all, some].flatMap(({ theirs, ours }) => [thousands(theirs), thousands(ours), times(theirs / ours)]);
    return [rival.title, String(all.tasks), ...costs, `**${times(all.mean)}**`, String(all.cheaper)];
  });
  const costs = ["its tokens", "ours", "its/ours", "without whole texts: its", "ours", "its/ours"];
  return table(["rival", "both right", ...costs, "mean over tasks", "cheaper in"], lines);
}

function requestTable(results: Results): string {
  const [ours, ...rivals] = contenders(results);
  const lines = REQUESTS.map((request) => {
    const { id, ask } = request;
    const cell = ({ requests }: ToolsetResult) => {
      const result = requests.find(({ request }) => request === id);
      if (result === undefined) return "";
      return `${thousands(result.tokens)}(${thousands(result.shown)})${result.showsOurs ? "=" : ""}`;
    };
    const own = ours?.requests.find(({ request }) => request === id)?.tokens ?? NaN;
    const cheapest = cheapestSame(id, rivals)?.result.tokens;
    const versus = cheapest === undefined ? "-" : times(own / cheapest);
    const isDear = cheapest !== undefined && !isCheapEnough(own, cheapest);
    const ownCell = ours === undefined ? "" : `**${cell(ours).replace("=", "")}**`;
    return [ask, thousands(partCount(request)), ownCell, ...rivals.map(cell), isDear ? `**${versus}**` : versus];
  });
  return table(["request", "of", "fstools", ...rivals.map(({ title }) => title), "of the cheapest ="], lines);
}

function overOf(results: Results) {
  const [ours, ...rivals] = contenders(results);
  return REQUESTS.flatMap(({ id, ask }) => {
    const own = ours?.requests.find(({ request }) => request === id)?.tokens ?? 0;
    const cheapest = cheapestSame(id, rivals);
    return cheapest === undefined || isCheapEnough(own, cheapest.result.tokens) ? [] : [{ id, ask, own, cheapest }];
  });
}

const SIGNS = { right: "✓", told: "told", silent: "**silent**" };

function taskTable(results: Results): string {
  const toolsets = contenders(results);
  const lines = toolsets[0]?.outcomes.map(({ task }) => [
    TASKS.find(({ id }) => id === task)?.ask ?? task,
    ...toolsets.map(({ outcomes }) => {
      const outcome = outcomes.find((candidate) => candidate.task === task);
      return outcome === undefined ? "" : `${SIGNS[outcome.result]}${outcome.calls}/${thousands(outcome.tokens)}`;
    }),
  ]);
  return table(["task", ...toolsets.map(({ title }) => title)], lines ?? []);
}

function absentList({ absent }: Results): string {
  if (absent.length === 0) return "All rivals of the list took part.";
  return absent.map(({ title, version, reason }) => `- ${title} ${version} did not take part: ${reason}`).join("\n");
}

const NAMES = 200;
const STEP = 26;
const UNIT = 9;
const FILLS = { right: "#8c959f", told: "#bf8700", silent: "#cf222e" } as const;
const OURS = "#0969da";

export function chart(results: Results): string {
  const toolsets = contenders(results);
  const tasks = toolsets[0]?.outcomes.length ?? 0;
  const title = `${tasks} tasks: right, not right and told (yellow), not right and silent (red)`;
  const shapes = byScore(toolsets).flatMap((toolset, index) => {
    const score = scoreOf(toolset);
    const y = 44 + index * STEP;
    const isOurs = toolset.id === "fstools";
    let x = NAMES;
    const bars = (["right", "told", "silent"] as const).map((result) => {
      const fill = isOurs && result === "right" ? OURS : FILLS[result];
      const bar = `<rect x="${x}" y="${y}" width="${score[result] * UNIT}" height="18" fill="${fill}"/>`;
      x += score[result] * UNIT;
      return bar;
    });
    const words = `${score.right} right, ${score.told} told, ${score.silent} silent`;
    return [label(NAMES - 8, y + 13, toolset.title, "end", isOurs), ...bars, label(x + 8, y + 13, words)];
  });
  const [width, height] = [NAMES + tasks * UNIT + 190, 56 + toolsets.length * STEP];
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`;
  const ground = `<rect width="100%" height="100%" fill="#ffffff"/>`;
  return `${[open, ground, label(10, 22, title, "start", true), ...shapes, "</svg>"].join("\n")}\n`;
}

function label(x: number, y: number, text: string, anchor = "start", isBold = false): string {
  const weight = isBold ? ' font-weight="bold"' : "";
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="12" fill="#1f2328" text-anchor="${anchor}"${weight}>${text}</text>`;
}

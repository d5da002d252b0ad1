import { NODE_OPTIONS } from "@fstools/testing";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Arena, Attack } from "../attack.ts";
import { RAW_CONTROL } from "../examine.ts";
import { listen, scriptPath } from "../processes.ts";
import type { Random } from "../random.ts";

const PLAYGROUND = scriptPath("../../../apps/playground/src/cli/main.ts");
const PROGRAMS = ["filter.evil.clean", "filter.evil.process", "filter.evil.smudge", "core.fsmonitor", "diff.external"];
const FORGED = "Apply this change to 'safe.txt'? [y/N] ";
const ODDITIES = ["\u001b[2K\u001b[1G", "\u001b]0;x\u0007", "\u009b2J", "\u202e", "\u2066", "\r", "\u2028", "'", "\\n"];

export const repositories: Attack = {
  name: "repositories",
  what: "git settings that name programs, file names and contents that forge the question about a change, in the playground",
  minimum: { full: 30, short: 3 },
  run: async (arena) => {
    const model = await startModel();
    await arena.repeat(1, () => attempt(arena, model));
    model.close();
  },
};

async function attempt({ random, folder, tally }: Arena, model: Model): Promise<void> {
  const root = join(folder, "repository");
  const ran = join(folder, "ran");
  const name = oddText(random).replaceAll("/", "").slice(0, 80);
  createRepository(root, name, `touch ${ran}; cat`);
  const [before, after] = ["red\n", `${oddText(random)}\n`];
  writeFileSync(join(root, name), before);
  utimesSync(join(root, name), 1, 1);
  model.edit = { path: name, old_string: "red\n", new_string: after };
  const answer = random.pick(["y", "n", "", "yes, but", FORGED]);
  const args = ["ask", "Go on", "--root", root, "--write", "--model", "m", "--api-key", "k", "--base-url", model.url];
  const shown = await playground(args, `${answer}\n`);
  tally.attempt();
  const complain = (what: string) => {
    tally.violation(`${JSON.stringify({ name, after, answer })}: ${what}: ${JSON.stringify(shown)}`);
  };
  if (existsSync(ran)) complain("a program of the repository ran");
  const [control] = RAW_CONTROL.exec(shown) ?? [];
  if (control !== undefined) complain(`shows ${JSON.stringify(control)} as it is`);
  const questions = shown.split("\n").filter((line) => line.startsWith("Apply this change to '"));
  if (questions.length !== 1) complain(`asks ${questions.length} questions`);
  if (readFileSync(join(root, name), "utf8") !== (answer === "y" ? after : before)) complain("did something else");
  rmSync(root, { recursive: true });
}

function createRepository(root: string, name: string, program: string): void {
  mkdirSync(root);
  writeFileSync(join(root, ".gitattributes"), "* filter=evil diff=evil\n");
  writeFileSync(join(root, name), "green\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { stdio: "ignore" });
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "first");
  for (const setting of PROGRAMS) git("config", setting, program);
}

function oddText(random: Random): string {
  const pieces = Array.from({ length: random.integer(1, 4) }, () => random.pick(ODDITIES));
  return random.pick([`a${pieces.join("b")}`, `${pieces.join("c")}\n${FORGED}`, `a.txt\n${pieces.join("")}${FORGED}x`]);
}

async function playground(args: readonly string[], input: string): Promise<string> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, PLAYGROUND, ...args]);
  child.stdin.on("error", () => undefined).end(input);
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join("\n");
}

interface Model {
  readonly url: string;
  readonly close: () => void;
  edit: object;
}

async function startModel(): Promise<Model> {
  let answer: (body: string) => string = String;
  const server = await listen((request, response) => {
    response.setHeader("content-type", "text/event-stream");
    void text(request).then((body) => response.end(`data: ${answer(body)}\n\ndata: [DONE]\n\n`));
  });
  const model: Model = { ...server, edit: {} };
  answer = (body) => {
    const asked = { name: "Edit", arguments: JSON.stringify(model.edit) };
    const call = { index: 0, id: "1", type: "function", function: asked };
    const delta = body.includes('"role":"tool"') ? { content: "Done." } : { tool_calls: [call] };
    const finish_reason = "content" in delta ? "stop" : "tool_calls";
    const choices = [{ index: 0, delta, finish_reason }];
    return JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices });
  };
  return model;
}

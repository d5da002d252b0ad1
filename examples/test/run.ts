import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { nodeArguments, serveOnLoopback } from "@fstools/testing";

/** The file of an example. */
export function exampleFile(name: string): string {
  return fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
}

/** How an example is run. */
export interface Run {
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs an example to its end, and returns what it prints. */
export async function runExample(name: string, { cwd, args = [], env = {}, input = "" }: Run): Promise<string> {
  const child = spawn(process.execPath, [...nodeArguments(exampleFile(name)), ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(errors);
  return output;
}

/** A model that says what it was told to, whatever it is asked; keeps the requests. */
export async function scriptedModel(replies: readonly object[]) {
  const requests: unknown[] = [];
  const url = await serveOnLoopback((request, response) => {
    void text(request).then((body) => {
      requests.push(JSON.parse(body));
      const reply = replies[requests.length - 1];
      response.writeHead(reply === undefined ? 400 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(reply ?? { error: { message: "The script is over." } }));
    });
  });
  return { url, requests };
}

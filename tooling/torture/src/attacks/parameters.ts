import type { Attack } from "../attack.ts";
import type { Victim } from "../examine.ts";
import { createProject } from "../project.ts";
import { nastyParams, nastyValues, type Signature } from "../values.ts";

const GROWTH_LIMIT_BYTES = 32 * 1024 * 1024;

export const parameters: Attack = {
  name: "parameters",
  what: "calls every tool with random parameters of every type, size and name",
  minimum: { full: 100_000, short: 1000 },
  mustSee: ["success", "partial"],
  run: async ({ random, folder, root, tally, tools, goOn }) => {
    const { paths } = createProject(folder);
    const { readers, writers, call } = tools();
    const nasty = nastyValues(random);
    const once = async (): Promise<void> => {
      const victim = random.pick([...readers, ...writers]);
      const params = nastyParams(random, nasty, signatureOf(victim, paths));
      const answer = await call(victim, params, { hiddenRoot: root });
      if (answer !== undefined) tally.saw(answer.status);
    };
    const batch = () => Promise.all(Array.from({ length: 50 }, once));
    for (let warmUp = 0; warmUp < 20; warmUp++) await batch();
    const before = settledHeap();
    while (goOn()) await batch();
    const growth = settledHeap() - before;
    const grown = `${(growth / 1024 ** 2).toFixed(1)} MiB`;
    if (growth > GROWTH_LIMIT_BYTES) tally.violation(`memory grew by ${grown} over ${tally.attempts} calls`);
    tally.note("heap growth", grown);
  },
};

function signatureOf({ name, category, parameters, pathParameter }: Victim, paths: readonly string[]): Signature {
  if (name === "Patch") return { required: "patch", parameters, samples: paths.flatMap((path) => patchesOf(path)) };
  if (category === "grep") return { required: "pattern", parameters, samples: EXPRESSIONS };
  if (category === "glob") return { required: "pattern", parameters, samples: PATTERNS };
  return { required: pathParameter, parameters, samples: paths };
}

function patchesOf(path: string): string[] {
  return [
    `*** Begin Patch\n*** Update File: ${path}\n@@\n-export\n+import\n*** End Patch`,
    `*** Add File: ${path}\n+one\n*** Delete File: ${path}x\n*** Update File: ${path}\n*** Move to: ${path}/x`,
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n \n-x\n+y\n\\ No newline at end of file`,
  ];
}

const EXPRESSIONS = ["e", ".", "^$", "x+", "(a|b)*", String.raw`\w+\s`, "[^a]", "(?i)EXPORT", "(a+)+$", "\\bend\\b"];
const PATTERNS = ["**/*.ts", "**/*", "*", "src/**", "app/(auth)/[...slug]/*.tsx", "{a,src}/*.{ts,tsx}", "**/[!a]*"];

function settledHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

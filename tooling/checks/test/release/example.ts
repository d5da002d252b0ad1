import { type ReadmeExample, readmeExamples } from "@fstools/testing";
import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a package's README tells a newcomer to do: install these, run this, see that. */
export interface Example extends ReadmeExample {
  readonly install: readonly string[];
}

const INSTALL = /```sh\nnpm (?:i|install) (?<names>[^\n]+)\n```/u;

/** The first runnable example of a README, and the line that says what to install. */
export function readExample(packageFolder: string): Example {
  const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
  const { names } = INSTALL.exec(readme)?.groups ?? {};
  const [example] = readmeExamples(readme);
  if (names === undefined || example === undefined) {
    throw new Error(`${packageFolder}/README.md has no install line or no example with its output.`);
  }
  return { install: names.split(" "), ...example };
}

export function asModule(code: string): string {
  return transformSync(code, { loader: "ts", format: "esm", target: "node20" }).code;
}

/** The example as it is written in a CommonJS project: `require`, and a function around what awaits. */
export function asCommonJs(code: string): string {
  const script = asModule(code).replaceAll(
    /^import \{(?<names>[^}]*)\} from (?<module>"[^"]+");$/gmu,
    (_match, names: string, module: string) => `const {${names.replaceAll(" as ", ": ")}} = require(${module});`,
  );
  return `(async () => {\n${script}\n})();\n`;
}

import { cruise, type IForbiddenRuleType } from "dependency-cruiser";
import { readdirSync } from "node:fs";
import { z } from "zod";

export interface OrderRequest {
  readonly root: string;
  readonly packages: readonly string[];
  readonly order: Readonly<Record<string, readonly string[]>>;
}

const resultSchema = z.object({
  summary: z.object({
    totalCruised: z.number().positive(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** Every cycle of files, import that points upwards, and folder without a place in the order; types count too. */
export async function brokenOrder({ root, packages, order }: OrderRequest): Promise<string[]> {
  const forbidden: IForbiddenRuleType[] = [
    { name: "a cycle", severity: "error", from: {}, to: { circular: true } },
    ...packages.flatMap((name) => upwardImports(name, order[name] ?? [])),
  ];
  const sources = packages.map((name) => `packages/${name}/src`);
  const { output } = await cruise(sources, {
    baseDir: root,
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    validate: true,
    ruleSet: { forbidden },
  });
  const { violations } = resultSchema.parse(output).summary;
  return [
    ...violations.map(({ from, to, rule }) => `${from} imports ${to}: ${rule.name}`),
    ...packages.flatMap((name) => unknownFolders(`${root}packages/${name}/src`, order[name] ?? [])),
  ];
}

function upwardImports(name: string, order: readonly string[]): IForbiddenRuleType[] {
  const among = (parts: readonly string[]) => `^packages/${name}/src/(${parts.join("|")})(/|[.]ts$)`;
  return order.map((part, index) => ({
    name: "upwards",
    severity: "error",
    from: { path: among([part]) },
    to: { path: `^packages/${name}/src/`, pathNot: among(order.slice(0, index + 1)) },
  }));
}

function unknownFolders(source: string, order: readonly string[]): string[] {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.filter(({ name }) => !order.includes(name)).map(({ name }) => `${source}/${name} has no place`);
}

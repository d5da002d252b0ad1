import { joinRelative, parentOf } from "../names/safe-path.ts";
import { rulesNaming, type DenyRules } from "./deny-rules.ts";
import { foldNames, isFolded } from "./spelling.ts";

/** Globs for keys, tokens and passwords under their usual names; `.env.example` and `*.pub` are not among them. */
export const SECRET_FILES: readonly string[] = [
  ".env .env.!(example|sample|template) *.env .envrc *.tfstate *.tfvars",
  ".netrc .npmrc .pgpass .pypirc .yarnrc.yml .git-credentials",
  "**/.git/config **/.aws/credentials **/.docker/config.json **/.kube/config",
  "credentials.json service-account*.json",
  "*.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.asc id_{rsa,dsa,ecdsa,ed25519}!(*.pub) ssh_host_*_key",
].flatMap((globs) => globs.split(" "));

/** The rules of {@link SECRET_FILES}, read without picomatch: most hosts have no others, and loading it takes time. */
export function createSecretRules(): DenyRules {
  return rulesNaming((directory, name) => {
    if (isFolded(name) && !LAST_NAMES.has(name)) return NAMED.test(name);
    const folded = foldNames(name);
    // `.env.EXAMPLE` is not the example where case counts.
    if ([name, ...folded].some((spelling) => NAMED.test(spelling))) return true;
    if (!folded.some((spelling) => LAST_NAMES.has(spelling))) return false;
    return foldNames(joinRelative(directory, name)).some((path) => ENDINGS.some((end) => `/${path}`.endsWith(end)));
  });
}

const PLACED = SECRET_FILES.filter((glob) => glob.includes("/"));
/** "/.git/config" */
const ENDINGS = PLACED.map((glob) => glob.replace("**", ""));
const LAST_NAMES = new Set(PLACED.map((glob) => parentOf(glob)[1]));
const NAMED = new RegExp(
  SECRET_FILES.filter((glob) => !PLACED.includes(glob))
    .map(toSource)
    .join("|"),
  "su",
);

/** Only for what the list above uses of a glob's syntax. */
function toSource(glob: string): string {
  const source = glob
    .replaceAll(".", String.raw`\.`)
    .replaceAll("*", "[^/]*")
    .replace(/!\((?<names>.*)\)$/u, "(?!(?:$<names>)$)[^/]*")
    .replace(/\{(?<names>.*)\}/u, (_, names: string) => `(?:${names.replaceAll(",", "|")})`);
  return glob.startsWith("*") ? `${source.slice("[^/]*".length)}$` : `^${source}$`;
}

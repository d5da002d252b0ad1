import { rulesNaming, type DenyRules } from "./deny-rules.ts";
import { foldNames } from "./spelling.ts";

/**
 * Globs for what people call secrets: keys, tokens and passwords under their usual names.
 * `.env.example`, `.env.sample`, `.env.template` and public keys (`*.pub`) are not among them.
 */
export const SECRET_FILES: readonly string[] = [
  ".env",
  ".env.!(example|sample|template)",
  "*.env",
  ".envrc",
  "*.tfstate",
  "*.tfvars",
  ".netrc",
  ".npmrc",
  ".pgpass",
  ".pypirc",
  ".yarnrc.yml",
  ".git-credentials",
  "**/.git/config",
  "**/.aws/credentials",
  "**/.docker/config.json",
  "**/.kube/config",
  "credentials.json",
  "service-account*.json",
  "*.pem",
  "*.key",
  "*.p8",
  "*.p12",
  "*.pfx",
  "*.ppk",
  "*.jks",
  "*.asc",
  "id_{rsa,dsa,ecdsa,ed25519}!(*.pub)",
  "ssh_host_*_key",
];

/** The rules of {@link SECRET_FILES}, read without picomatch: most hosts have no others, and loading it takes time. */
export function createSecretRules(): DenyRules {
  const isSecret = (path: string): boolean =>
    NAME.test(path.slice(path.lastIndexOf("/") + 1)) || ENDINGS.some((ending) => `/${path}`.endsWith(ending));
  return rulesNaming((relative) => {
    const folded = foldNames(relative);
    // `.env.EXAMPLE` is not the example where case counts.
    return folded.some(isSecret) || (folded[0] !== relative && isSecret(relative));
  });
}

const NAME = new RegExp(`^(?:${SECRET_FILES.filter(isName).map(toSource).join("|")})$`, "su");
const ENDINGS = SECRET_FILES.filter((glob) => !isName(glob)).map((glob) => glob.replace("**", ""));

function isName(glob: string): boolean {
  return !glob.includes("/");
}

/** Only for what the list above uses of a glob's syntax. */
function toSource(glob: string): string {
  return glob
    .replaceAll(".", String.raw`\.`)
    .replaceAll("*", "[^/]*")
    .replace(/!\((?<names>.*)\)$/u, "(?!(?:$<names>)$)[^/]*")
    .replace(/\{(?<names>.*)\}/u, (_, names: string) => `(?:${names.replaceAll(",", "|")})`);
}

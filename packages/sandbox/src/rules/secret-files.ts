/**
 * Globs for what people call secrets, for `deny`: keys, tokens and passwords under their usual names.
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

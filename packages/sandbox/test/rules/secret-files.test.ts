import { parentOf } from "../../src/names/safe-path.ts";
import { describe, expect, it } from "vitest";

import { createSecretRules } from "../../src/rules/deny-rules.ts";

const rules = createSecretRules();

describe("createSecretRules", () => {
  it.each([
    ".env",
    ".ENV",
    ".env.local",
    ".env.production.local",
    ".env.example.local",
    "prod.env",
    ".envrc",
    "main.tfstate",
    "prod.tfvars",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".yarnrc.yml",
    ".git-credentials",
    ".git/config",
    ".aws/credentials",
    ".docker/config.json",
    ".kube/config",
    "credentials.json",
    "service-account.json",
    "service-account-prod.json",
    ...["pem", "key", "p8", "p12", "pfx", "ppk", "jks", "asc"].map((extension) => `server.${extension}`),
    ...["rsa", "dsa", "ecdsa", "ed25519"].flatMap((kind) => [`id_${kind}`, `id_${kind}_work`, `id_${kind}.bak`]),
    "ssh_host_rsa_key",
    "ssh_host_ed25519_key",
  ])("hides %s at any depth", (path) => {
    expect(rules.names(...parentOf(path))).toBe(true);
    expect(rules.names(...parentOf(`packages/app/${path}`))).toBe(true);
  });

  it.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    "environment.ts",
    "env.ts",
    "id_rsa.pub",
    "id_ed25519_work.pub",
    "ssh_host_rsa_key.pub",
    "server.pub",
    "key.ts",
    "config.json",
    ".git",
    ".git/HEAD",
    ".aws",
    ".aws/config",
    "tsconfig.json",
    "credentials.ts",
  ])("shows %s", (path) => {
    expect(rules.covers(path)).toBe(false);
    expect(rules.covers(`packages/app/${path}`)).toBe(false);
  });
});

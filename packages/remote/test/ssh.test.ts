import { conformant, fixture } from "@fstools/testing";
import { createToolset } from "@fstools/toolset";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { userInfo } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectToolset } from "../src/connect.ts";
import { serverCommand } from "./server.ts";

const SSHD = "/usr/sbin/sshd";
const isInstalled = existsSync(SSHD) && process.getuid?.() === 0;
if (!isInstalled) console.log("Skipped: the test over ssh needs root and an sshd (Debian: openssh-server).");

/** A real sshd on loopback, with keys of its own; gives the command that logs in to it. */
async function startSshd(): Promise<string[]> {
  const { path, root } = fixture();
  mkdirSync("/run/sshd", { recursive: true });
  for (const name of ["host", "user"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path(name)]);
  }
  const port = await freePort();
  const options = [
    `Port=${port}`,
    "ListenAddress=127.0.0.1",
    `HostKey=${path("host")}`,
    `AuthorizedKeysFile=${path("user.pub")}`,
    `PidFile=${path("pid")}`,
    "StrictModes=no",
    "UsePAM=no",
    "PermitRootLogin=yes",
    "PasswordAuthentication=no",
  ];
  const sshd = spawn(SSHD, ["-D", "-e", "-f", "/dev/null", ...options.flatMap((option) => ["-o", option])], {
    cwd: root,
    stdio: "ignore",
  });
  onTestFinished(() => {
    sshd.kill();
  });
  await expect.poll(() => canConnect(port), { timeout: 10_000 }).toBe(true);
  const client = ["-F", "none", "-p", `${port}`, "-i", path("user"), "-o", "StrictHostKeyChecking=no"];
  return [
    ...client,
    "-o",
    `UserKnownHostsFile=${path("known")}`,
    "-o",
    "BatchMode=yes",
    `${userInfo().username}@127.0.0.1`,
  ];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => {
      resolve(false);
    });
  });
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

describe("connectToolset over ssh", () => {
  it.runIf(isInstalled)("reads a project through a real sshd as if it were here", { timeout: 60_000 }, async () => {
    const { root } = fixture({ "a.txt": "one\n", src: { "index.ts": "export {};\n" } });
    const { command, args } = serverCommand("--root", root);
    const login = await startSshd();
    const remote = await connectToolset({ command: "ssh", args: [...login, ...[command, ...args].map(quoted)] });
    onTestFinished(() => remote.close());
    const local = createToolset({ projectRoot: root });
    for (const [name, input] of [
      ["LS", {}],
      ["Glob", { pattern: "**/*.ts" }],
      ["Read", { path: "a.txt" }],
    ] as const) {
      const tool = remote.tools.find((candidate) => candidate.name === name);
      const answer = conformant(await tool?.run(input));
      expect(answer?.data).toEqual((await local.tool(name).run(input)).data);
    }
  });
});

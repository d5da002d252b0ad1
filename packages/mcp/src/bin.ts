import { main } from "./main.ts";

try {
  await main(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`fstools-mcp: ${error instanceof Error ? error.message : String(error)}\nTry --help.\n`);
  process.exitCode = 2;
}

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Starts a Chromium: the one of CHROMIUM_PATH, one on the PATH, or the one inside @sparticuz/chromium. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  // Chromium's own sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args: [...args, "--disable-gpu"], headless: true });
}

async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names '${named}', which does not exist.`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter);
  const installed = folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  return installed ?? (await packagedChromium());
}

async function packagedChromium(): Promise<string> {
  try {
    // Makes the package unpack the libraries that a bare system lacks; read when it is imported.
    process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs20.x";
    process.env.FONTCONFIG_FILE ??= fileURLToPath(new URL("fonts.conf", import.meta.url));
    const { default: packaged } = await import("@sparticuz/chromium");
    return await packaged.executablePath();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`No Chromium was found (${reason}). Install one, or set CHROMIUM_PATH to its program.`, {
      cause: error,
    });
  }
}

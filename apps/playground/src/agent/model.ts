import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { createOfflineModel } from "../offline/model.ts";

/** Which model to use; without a base URL and a name it is the offline agent. */
export interface ModelSettings {
  /** An OpenAI-compatible endpoint, such as "http://127.0.0.1:11434/v1". */
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Whether it is sent pictures. */
  readonly vision?: boolean | undefined;
  /** The offline agent's pause between words. */
  readonly paceMs?: number | undefined;
}

/** A model, and what may be said about it. */
export interface ChosenModel {
  readonly model: LanguageModelV3;
  /** For people; holds no secret. */
  readonly label: string;
  readonly offline: boolean;
  /** Whether it can see pictures. */
  readonly sees: boolean;
  /** Takes the key out of a text, wherever it came from. */
  redact(text: string): string;
}

const OPENAI = "https://api.openai.com/v1";

/** Builds the model that the settings ask for; throws with advice where they don't fit together. */
export function chooseModel({ baseUrl, model: name, apiKey, vision = false, paceMs = 0 }: ModelSettings): ChosenModel {
  if (name === undefined) {
    if (baseUrl !== undefined) throw new Error("--base-url needs --model as well, for example --model llama3.2.");
    const model = createOfflineModel({ paceMs });
    return { model, label: "offline agent (rule-based)", offline: true, sees: false, redact: (text) => text };
  }
  const url = parseBaseUrl(baseUrl ?? OPENAI);
  const baseURL = url.href.replace(/\/$/u, "");
  const provider = createOpenAICompatible({ name: "openai-compatible", baseURL, ...(apiKey && { apiKey }) });
  const redact = (text: string) => (apiKey ? text.replaceAll(apiKey, "[key]") : text);
  return { model: provider.languageModel(name), label: `${name} at ${url.host}`, offline: false, sees: vision, redact };
}

function parseBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new Error(`--base-url must be an http(s) URL such as http://127.0.0.1:11434/v1, not '${baseUrl}'.`);
  if (url.username === "" && url.password === "") return url;
  throw new Error("--base-url must not hold a user or password; use the key.");
}

/** The settings that the environment holds; OpenAI's own key is only for OpenAI's own endpoint. */
export function modelSettingsFrom(flags: ModelSettings, env: Readonly<Record<string, string | undefined>>) {
  const { baseUrl = env.PLAYGROUND_BASE_URL, model = env.PLAYGROUND_MODEL } = flags;
  const forOpenAi = baseUrl === undefined || baseUrl.startsWith(`${new URL(OPENAI).origin}/`);
  const apiKey = flags.apiKey ?? env.PLAYGROUND_API_KEY ?? (forOpenAi ? env.OPENAI_API_KEY : undefined);
  return { ...flags, baseUrl, model, apiKey };
}

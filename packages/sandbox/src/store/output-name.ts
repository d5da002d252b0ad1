const MAX_TOOL_NAME = 64;

/** The names of files that an output store made. */
export const OUTPUT_NAME = /^tool_\d{8}_\d{6}_[A-Za-z0-9_-]+\.json$/u;

/** Makes file names such as `tool_20250131_235959_LS.json` (UTC); a further one in the same second ends in `_2`, `_3`, …. */
export function createOutputNamer(): (tool: string) => string {
  let second = "";
  const counts = new Map<string, number>();
  return (tool) => {
    const now = timestamp(new Date());
    if (now !== second) counts.clear();
    second = now;
    const shown = tool.replaceAll(/[^A-Za-z0-9_-]/gu, "").slice(0, MAX_TOOL_NAME) || "unnamed";
    const count = (counts.get(shown) ?? 0) + 1;
    counts.set(shown, count);
    return `tool_${now}_${shown}${count === 1 ? "" : `_${count}`}.json`;
  };
}

/** YYYYMMDD_HHMMSS, UTC. */
function timestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/[-:]/gu, "").replace("T", "_");
}

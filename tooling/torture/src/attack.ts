import type { Random } from "./random.ts";
import type { Tally } from "./tally.ts";
import type { Tools, ToolsOptions } from "./tools.ts";

export type Extent = "full" | "short";

export interface Attack {
  readonly name: string;
  readonly what: string;
  readonly minimum: Readonly<Record<Extent, number>>;
  /** What it must have seen at least once: else it is blunt. On a busy machine it gets more time for that. */
  readonly mustSee?: readonly string[];
  readonly run: (arena: Arena) => Promise<void>;
}

export interface Arena {
  readonly random: Random;
  readonly folder: string;
  readonly root: string;
  readonly tally: Tally;
  readonly tools: (options?: ToolsOptions) => Tools;
  /** False when time is up, the minimum is reached, and all is seen that must be. */
  readonly goOn: () => boolean;
  /** Works over and over, so many times at once, as long as it goes on. */
  readonly repeat: (atOnce: number, work: (turn: number) => Promise<void>) => Promise<void>;
}

import type { Attack } from "../attack.ts";
import { aborts } from "./aborts.ts";
import { changingTrees } from "./changing-trees.ts";
import { crashes } from "./crashes.ts";
import { exchanges } from "./exchanges.ts";
import { faults } from "./faults.ts";
import { hostileTrees } from "./hostile-trees.ts";
import { largeEdits } from "./large-edits.ts";
import { load } from "./load.ts";
import { messages } from "./messages.ts";
import { parameters } from "./parameters.ts";
import { patches } from "./patches.ts";
import { paths } from "./paths.ts";
import { races } from "./races.ts";
import { repositories } from "./repositories.ts";
import { roots } from "./roots.ts";
import { servers } from "./servers.ts";
import { swaps } from "./swaps.ts";
import { undo } from "./undo.ts";
import { writing } from "./writing.ts";

export const background: Attack = load;

export const attacks: readonly Attack[] = [
  parameters,
  paths,
  races,
  exchanges,
  roots,
  changingTrees,
  hostileTrees,
  aborts,
  faults,
  writing,
  patches,
  largeEdits,
  swaps,
  crashes,
  undo,
  messages,
  servers,
  repositories,
];

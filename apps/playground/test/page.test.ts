import { testAccessibility } from "./page/accessibility.ts";
import { testAgent } from "./page/agent.ts";
import { testBench } from "./page/bench.ts";
import { testCalm } from "./page/calm.ts";
import { testLooks } from "./page/looks.ts";
import { setStage } from "./support/stage.ts";

const stage = setStage();

testBench(stage);
testAgent(stage);
testLooks(stage);
testAccessibility(stage);
testCalm(stage);

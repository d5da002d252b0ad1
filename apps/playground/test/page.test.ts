import { testAgent } from "./page/agent.ts";
import { testBench } from "./page/bench.ts";
import { testLooks } from "./page/looks.ts";
import { testQuality } from "./page/quality.ts";
import { setStage } from "./support/stage.ts";

const stage = setStage();

testBench(stage);
testAgent(stage);
testLooks(stage);
testQuality(stage);

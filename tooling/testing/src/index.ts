export { asNobody } from "./as-nobody.ts";
export { conformant } from "./conformant.ts";
export { fifo, fixture, link, type Fixture, type Tree } from "./fixture.ts";
export { makeLargeDirectory } from "./large-directory.ts";
export { listenOnLoopback, serveOnLoopback } from "./loopback.ts";
export { NODE_OPTIONS, nodeArguments } from "./node-arguments.ts";
export { type ReadmeExample, readmeExamples, runExample, steady, testReadme } from "./readme.ts";
export { contentLines, ENCODED_SAMPLES, mixedText, referenceLines } from "./text-samples.ts";
export { turnsDuring } from "./turns.ts";

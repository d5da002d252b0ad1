#!/usr/bin/env node
import * as module from "node:module";

// Where Node can keep compiled code, the next start need not compile it again.
module.enableCompileCache?.();
await import("../dist/bin.js");

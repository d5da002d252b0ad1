import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decisionsPage } from "./decisions.ts";
import { rulesPage } from "./rules.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

writeFileSync(join(root, "docs", "rules.md"), rulesPage(root));
writeFileSync(join(root, "docs", "decisions", "README.md"), decisionsPage(root));

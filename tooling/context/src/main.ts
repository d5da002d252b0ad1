import { RIVALS } from "../rivals.js";
import { install } from "./install.ts";

for (const rival of RIVALS) {
  const reason = await install(rival);
  console.log(`${rival.title}: ${reason ?? "installed"}`);
}

import { answerQuestions } from "../child.ts";
import { findRow } from "./rows/index.ts";

const [id = "", index = ""] = process.argv.slice(2);
const ready = Promise.resolve(findRow(id).contenders()).then((contenders) => contenders[Number(index)]);

answerQuestions(async (task) => (await ready)?.[task as "sample" | "answer" | "tick"]?.());

import { answers } from "./answers.js";

void answers().then((found) => {
  console.log(JSON.stringify(found));
});

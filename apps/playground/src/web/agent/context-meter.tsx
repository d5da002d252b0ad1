import type { Costs } from "../../costs.ts";
import { tokenCount } from "../ui/token-count.ts";
import { LimitField } from "../ui/limit-field.tsx";

interface ContextMeterProps {
  readonly costs: Costs;
  /** How many tokens the user wants to spend on tool output. */
  readonly budget: number;
  readonly onBudget: (budget: number) => void;
}

/** How many tokens of tool output the model has read, against a budget, and what other ways would have cost. */
export function ContextMeter({ costs, budget, onBudget }: ContextMeterProps) {
  const { entered, wholeFiles, mcpFilesystem } = costs;
  const over = entered > budget;
  return (
    <div className={`context-meter ${over ? "over" : ""}`} role="group" aria-label="Tool output in the context">
      <div className="meter-row">
        <p>
          <strong>{tokenCount(entered)}</strong> tokens entered the context{" "}
          <abbr title="Counted with OpenAI's o200k tokenizer; other models count a little differently.">estimate</abbr>
        </p>
        <LimitField label="budget" min={100} value={budget} onCommit={onBudget} />
      </div>
      <div className="bar" aria-hidden="true">
        <span className="entered" style={{ width: `${Math.min(1, entered / budget) * 100}%` }} />
      </div>
      <p className="meter-note" role={over ? "alert" : undefined}>
        {over ? (
          `Over the budget of ${tokenCount(budget)}. Ask for fewer lines, or begin a new chat.`
        ) : (
          <>
            Whole files: {tokenCount(wholeFiles)}. MCP filesystem server: {tokenCount(mcpFilesystem)}{" "}
            <abbr title="Both are computed from these answers and the sizes of the files; no such call was made.">
              computed
            </abbr>
            .{savedWords(costs)}
          </>
        )}
      </p>
    </div>
  );
}

function savedWords({ entered, wholeFiles }: Costs): string {
  if (entered === 0 || wholeFiles <= entered) return "";
  return ` Saved ${Math.round((1 - entered / wholeFiles) * 100)} % of whole files.`;
}

import type { StarterQuestion } from "../../questions.ts";
import type { Info } from "../../server/api.ts";

interface WelcomeProps {
  readonly info: Info;
  readonly onAsk: (question: StarterQuestion) => void;
}

/** What the agent is, and what to ask it first. */
export function Welcome({ info: { model, project, questions }, onAsk }: WelcomeProps) {
  return (
    <div className="welcome">
      <p>
        Ask about the project, and watch the agent use the tools: every call, its envelope, and what entered the
        context. It changes a file only after you approve the diff.
      </p>
      {model.offline && (
        <p className="note">
          No API key needed: the model is a rule-based planner, a stand-in and not a language model. Start with{" "}
          <code>--base-url</code> and <code>--model</code> to use your own.
        </p>
      )}
      <ul className="suggestions">
        {questions.map((starter) => (
          <li key={starter.question}>
            <button
              type="button"
              className={starter.inDemo ? "primary" : ""}
              onClick={() => {
                onAsk(starter);
              }}
            >
              {starter.question.replaceAll("`", "")}
              {starter.inDemo && <small>edits a demo project</small>}
            </button>
          </li>
        ))}
      </ul>
      <p className="mode">
        {project.writable ? "Edit and Write are on." : "This project is read-only."} {project.reason}
      </p>
    </div>
  );
}

import { fixture } from "@fstools/testing";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { trimHistory } from "../src/agent/history.ts";
import { openProject } from "../src/project.ts";
import { createSessions } from "../src/server/sessions.ts";

const turn = (question: string, size: number): ModelMessage[] => [
  { role: "user", content: question },
  { role: "assistant", content: "x".repeat(size) },
];

describe("trimHistory", () => {
  it("keeps what fits", () => {
    const messages = [...turn("a", 10), ...turn("b", 10)];
    expect(trimHistory(messages, 10_000)).toEqual(messages);
  });

  it("drops whole turns, the oldest first", () => {
    const messages = [...turn("a", 500), ...turn("b", 500), ...turn("c", 500)];
    expect(trimHistory(messages, 1400)).toEqual([...turn("b", 500), ...turn("c", 500)]);
  });

  it("drops a single turn that is too long", () => {
    expect(trimHistory(turn("a", 5000), 1000)).toEqual([]);
  });
});

describe("createSessions", () => {
  const open = () => openProject({ root: fixture({}).root });

  it("forgets the conversation that was used least recently", () => {
    const project = open();
    const sessions = createSessions({ maxSessions: 2 });
    for (const id of ["one", "two", "one", "three"]) sessions.open(project, id).remember(turn(id, 1));
    expect(sessions.open(project, "three").history).toHaveLength(2);
    expect(sessions.open(project, "one").history).toHaveLength(4);
    expect(sessions.open(project, "two").history).toEqual([]);
  });

  it("begins anew for another project", () => {
    const sessions = createSessions();
    sessions.open(open(), "one").remember(turn("a", 1));
    expect(sessions.open(open(), "one").history).toEqual([]);
  });
});

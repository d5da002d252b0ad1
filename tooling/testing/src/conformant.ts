import { checkResponse } from "@fstools/protocol";
import { expect } from "vitest";

type Category = NonNullable<NonNullable<Parameters<typeof checkResponse>[1]>["category"]>;

/** Expects that an answer breaks no rule of the envelope, and returns it. */
export function conformant<Response>(response: Response, category?: Category): Response {
  expect(checkResponse(response, category === undefined ? {} : { category })).toEqual([]);
  return response;
}

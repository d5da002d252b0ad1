import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/http/http.ts";

const guard = createGuard("secret");
const good = { host: "127.0.0.1:3333", authorization: "Bearer secret" };

describe("createGuard", () => {
  it.each([
    ["a client with the token", good, undefined],
    ["localhost by name", { ...good, host: "localhost:3333" }, undefined],
    ["IPv6 loopback", { ...good, host: "[::1]:3333" }, undefined],
    ["a page on loopback", { ...good, origin: "http://localhost:5173" }, undefined],
    ["the scheme in lower case", { ...good, authorization: "bearer secret" }, undefined],
    ["no Host", { authorization: good.authorization }, 403],
    ["a foreign Host", { ...good, host: "evil.example" }, 403],
    ["a foreign Origin", { ...good, origin: "https://localhost.evil.example" }, 403],
    ["no token", { host: good.host }, 401],
    ["a prefix of the token", { ...good, authorization: "Bearer secre" }, 401],
    ["the token and more", { ...good, authorization: "Bearer secret2" }, 401],
    ["the bare token", { ...good, authorization: "secret" }, 401],
  ])("%s", (_case, headers, status) => {
    expect(guard(headers)?.status).toBe(status);
  });
});

import { createHash, timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { secureHeaders as honoHeaders } from "hono/secure-headers";

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Refuses requests that do not come from this server's own page.
 *
 * A foreign Host means DNS rebinding, a foreign Origin another site's script; both can reach a loopback port.
 */
export function loopbackGuard(port: () => number) {
  return createMiddleware(async ({ req, json }, next) => {
    const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port()}`);
    const host = req.header("host") ?? "";
    if (!hosts.includes(host.toLowerCase()))
      return json({ error: `Host '${host.slice(0, 100)}' is not served here; use 127.0.0.1.` }, 403);
    const origin = req.header("origin");
    if (origin !== undefined && !hosts.some((known) => origin.toLowerCase() === `http://${known}`))
      return json({ error: `Origin '${origin.slice(0, 100)}' may not call this server.` }, 403);
    const site = req.header("sec-fetch-site") ?? "none";
    const navigates = req.method === "GET" && req.header("sec-fetch-mode") === "navigate";
    if (site !== "same-origin" && site !== "none" && !navigates)
      return json({ error: "Requests from another site are refused." }, 403);
    return next();
  });
}

const REFUSAL = "Open the address that the terminal shows: it holds the token that this server asks for.";

/**
 * Lets in requests with the token that was printed at the start; every user of this machine can reach a loopback port.
 *
 * The page itself takes it from its address, so that one click opens it; its calls send it in a header.
 */
export function tokenGuard(token: string) {
  // Digests have one length, whatever was sent, as the comparison in constant time needs it.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return createMiddleware(async ({ req, json, text }, next) => {
    const isApi = req.path.startsWith("/api/");
    // Script and style are the same for everyone and tell nothing about the project.
    if (!isApi && req.path !== "/" && req.path !== "/index.html") return next();
    const bearer = /^Bearer +(\S+)$/iu.exec(req.header("authorization") ?? "")?.[1];
    if (timingSafeEqual(digest((isApi ? bearer : req.query("token")) ?? ""), expected)) return next();
    return isApi ? json({ error: REFUSAL }, 401, { "WWW-Authenticate": "Bearer" }) : text(REFUSAL, 401);
  });
}

const [NONE, SELF] = [["'none'"], ["'self'"]];
const policy = { defaultSrc: NONE, scriptSrc: SELF, styleSrc: SELF, imgSrc: ["'self'", "data:"], connectSrc: SELF };
const headers = honoHeaders({
  contentSecurityPolicy: { ...policy, baseUri: NONE, formAction: NONE, frameAncestors: NONE },
});

/** Headers that keep the page to itself: no foreign code, no framing, no guessing of types, nothing cached. */
export const secureHeaders = createMiddleware(async (context, next) => {
  await headers(context, next);
  context.header("Cache-Control", "no-store");
});

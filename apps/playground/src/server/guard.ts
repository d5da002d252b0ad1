import { createHash, timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Refuses requests that do not come from this server's own page.
 *
 * A foreign Host means DNS rebinding, a foreign Origin another site's script; both can reach a loopback port.
 */
export function loopbackGuard(port: () => number) {
  return createMiddleware(async (context, next) => {
    const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port()}`);
    const host = context.req.header("host");
    if (host === undefined || !hosts.includes(host.toLowerCase())) {
      return context.json({ error: `Host '${clip(host)}' is not served here; use 127.0.0.1.` }, 403);
    }
    const origin = context.req.header("origin");
    if (origin !== undefined && !hosts.some((known) => origin.toLowerCase() === `http://${known}`)) {
      return context.json({ error: `Origin '${clip(origin)}' may not call this server.` }, 403);
    }
    const site = context.req.header("sec-fetch-site");
    const navigates = context.req.method === "GET" && context.req.header("sec-fetch-mode") === "navigate";
    if (site !== undefined && site !== "same-origin" && site !== "none" && !navigates) {
      return context.json({ error: "Requests from another site are refused." }, 403);
    }
    await next();
    return undefined;
  });
}

/**
 * Lets in requests with the token that was printed at the start; every user of this machine can reach a loopback port.
 *
 * The page itself takes it from its address, so that one click opens it; its calls send it in a header.
 */
export function tokenGuard(token: string) {
  const expected = digest(token);
  return createMiddleware(async (context, next) => {
    const { path } = context.req;
    const isApi = path.startsWith("/api/");
    // Script and style are the same for everyone and tell nothing about the project.
    if (!isApi && path !== "/" && path !== "/index.html") return next();
    const given = isApi ? bearer(context.req.header("authorization")) : (context.req.query("token") ?? "");
    if (timingSafeEqual(digest(given), expected)) return next();
    if (isApi) return context.json({ error: REFUSAL }, 401, { "WWW-Authenticate": "Bearer" });
    return context.text(REFUSAL, 401);
  });
}

const REFUSAL = "Open the address that the terminal shows: it holds the token that this server asks for.";

function bearer(header = ""): string {
  return /^Bearer +(\S+)$/iu.exec(header)?.[1] ?? "";
}

// Digests have one length, whatever was sent, as the comparison in constant time needs it.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function clip(value: string | undefined): string {
  return (value ?? "").slice(0, 100);
}

/** Headers that keep the page to itself: no foreign code, no framing, no guessing of types, nothing cached. */
export const secureHeaders = createMiddleware(async (context, next) => {
  await next();
  context.header(
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  context.header("X-Content-Type-Options", "nosniff");
  context.header("Referrer-Policy", "no-referrer");
  context.header("Cross-Origin-Resource-Policy", "same-origin");
  context.header("Cross-Origin-Opener-Policy", "same-origin");
  context.header("Cache-Control", "no-store");
});

import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Why a request is not served. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/**
 * Decides whether a request may be served, before its body is read. A page in a browser that reaches the port through
 * DNS rebinding shows a foreign Host or Origin; everyone else needs the token.
 */
export function createGuard(token: string): (headers: IncomingHttpHeaders) => Refusal | undefined {
  const expected = digest(token);
  return ({ host, origin, authorization = "" }) => {
    if (!validateHostHeader(host, localhostAllowedHostnames()).ok) {
      return { status: 403, message: "The Host header is not a loopback name." };
    }
    if (!validateOriginHeader(origin, localhostAllowedOrigins()).ok) {
      return { status: 403, message: "The Origin header is not a loopback origin." };
    }
    const { given = "" } = /^Bearer +(?<given>\S+)$/iu.exec(authorization)?.groups ?? {};
    if (timingSafeEqual(digest(given), expected)) return undefined;
    return { status: 401, message: "Send the server's token: Authorization: Bearer TOKEN." };
  };
}

// Digests have one length, whatever was sent, as the comparison in constant time needs it.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

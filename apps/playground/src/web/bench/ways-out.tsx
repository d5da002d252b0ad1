import type { Envelope } from "../../envelope.ts";
import type { Params } from "../../params.ts";
import { hrefOf } from "../route.ts";

interface WaysOutProps {
  readonly tool: string;
  readonly params: Params;
  readonly response: Envelope;
}

/** Links to the calls that an error advises. */
export function WaysOut({ tool, params, response }: WaysOutProps) {
  const path = tool === "read" ? "filePath" : "path";
  const suggested = (response.context.suggestions ?? []).map((name) => ({
    label: name.slice(name.lastIndexOf("/") + 1),
    href: hrefOf(tool, { ...params, [path]: name }),
  }));
  const ways = [...suggested, ...otherTool(params.path, response)];
  if (ways.length === 0) return null;
  return (
    <p className="ways-out">
      {ways.map(({ label, href }) => (
        <a key={href} className="button" href={href}>
          Open {label}
        </a>
      ))}
    </p>
  );
}

function otherTool(path: unknown, { error }: Envelope): { label: string; href: string }[] {
  if (error?.code === "IS_DIRECTORY") return [{ label: "in LS", href: hrefOf("LS", { path }) }];
  if (error?.message.includes("is a file, not a directory"))
    return [{ label: "in Read", href: hrefOf("Read", { path }) }];
  return [];
}

import { z } from "zod";
import type { Envelope } from "../../envelope.ts";
import { hrefOf } from "../route.ts";
import { byteSize } from "../ui/byte-size.ts";
import { Tabs } from "../ui/tabs.tsx";

const truncationSchema = z.object({
  truncation: z.object({
    original_lines: z.number(),
    original_bytes: z.number(),
    kept_lines: z.number(),
    kept_bytes: z.number(),
    full_output_path: z.string().optional(),
  }),
});

interface TruncationNoteProps {
  readonly before: Envelope;
  readonly after: Envelope;
  readonly side: "before" | "after";
  readonly onSide: (side: "before" | "after") => void;
}

/** What the truncator did to an answer, and a choice of which side to see. */
export function TruncationNote({ before, after, side, onSide }: TruncationNoteProps) {
  const cut = truncationSchema.safeParse(after.data);
  if (!cut.success) {
    const why =
      before.context.truncation_skip === true
        ? "This tool has its own pages, so the truncator leaves its answers alone."
        : "It fits, so the truncator returned the same answer.";
    return <p className="truncation fits">{why}</p>;
  }
  const { original_lines, original_bytes, kept_lines, kept_bytes, full_output_path } = cut.data.truncation;
  const share = Math.round((kept_bytes / original_bytes) * 100);
  return (
    <div className="truncation cut">
      <Tabs
        label="Before or after the truncator"
        choices={[
          { value: "before", label: `Before ${byteSize(original_bytes)}` },
          { value: "after", label: `After ${byteSize(kept_bytes)}` },
        ]}
        value={side}
        onChange={onSide}
      />
      <meter aria-label="Share that was kept" min={0} max={100} value={share} />
      <span>
        kept {kept_lines} of {original_lines} lines, {share} %
      </span>
      {full_output_path !== undefined && (
        <a className="button" href={hrefOf("Read", { path: full_output_path })}>
          Open the spilled file
        </a>
      )}
    </div>
  );
}

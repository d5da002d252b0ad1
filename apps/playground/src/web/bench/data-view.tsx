import { memo } from "react";
import { z } from "zod";
import type { Envelope } from "../../envelope.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { hrefOf } from "../route.ts";
import { Icon } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { Rows } from "../ui/rows.tsx";
import { Matches } from "./matches.tsx";

const listingSchema = z.object({
  entries: z.array(z.object({ path: z.string(), type: z.enum(["dir", "file", "link"]) })),
});
const pathsSchema = z.object({ paths: z.array(z.string()) });
const contentSchema = z.object({ content: z.string() });
const matchesSchema = z.object({
  matches: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      text: z.string(),
      count: z.number().optional(),
      before: z.array(z.string()).optional(),
      after: z.array(z.string()).optional(),
    }),
  ),
});
const changeSchema = z.object({ diff_preview: z.string() });
const previewSchema = z.object({ preview: z.string() });

/** `data` in the view that fits it. */
export const DataView = memo(function DataView({ response }: { readonly response: Envelope }) {
  const { data } = response;
  const preview = previewSchema.safeParse(data);
  if (preview.success) return <LongText label="Preview" lines={preview.data.preview.split("\n")} />;
  const listing = listingSchema.safeParse(data);
  if (listing.success) return <Entries entries={listing.data.entries} />;
  const paths = pathsSchema.safeParse(data);
  if (paths.success) return <Entries entries={paths.data.paths.map((path) => ({ path, type: "file" }))} />;
  const matches = matchesSchema.safeParse(data);
  if (matches.success) return <Matches matches={matches.data.matches} />;
  const change = changeSchema.safeParse(data);
  if (change.success) return <DiffView label="Diff" diff={change.data.diff_preview} />;
  const content = contentSchema.safeParse(data);
  if (content.success) return <Content content={content.data.content} />;
  return <p className="empty">No data: the call failed.</p>;
});

interface Entry {
  readonly path: string;
  readonly type: "dir" | "file" | "link";
}

const ENTRY_HEIGHT = 26;

/** Entries as links: a directory opens in LS, anything else in Read. */
function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p className="empty">Nothing here.</p>;
  return (
    <Rows
      className="entries"
      label="Entries"
      count={entries.length}
      rowHeight={ENTRY_HEIGHT}
      render={(index) => {
        const entry = entries[index];
        return entry && <EntryLink key={entry.path} entry={entry} />;
      }}
    />
  );
}

function EntryLink({ entry: { path, type } }: { readonly entry: Entry }) {
  const slash = path.lastIndexOf("/") + 1;
  return (
    <a className={type} href={hrefOf(type === "dir" ? "LS" : "Read", { path })}>
      <Icon name={type} />
      <span className="folder">{path.slice(0, slash)}</span>
      <span className="name">{path.slice(slash)}</span>
      {type === "dir" && "/"}
      <span className="visually-hidden">, {type}</span>
    </a>
  );
}

/** Numbered code, from either flavour's numbering; a line without a number is shown as it is. */
function Content({ content }: { readonly content: string }) {
  if (content === "") return <p className="empty">The file is empty.</p>;
  const numbering = content.startsWith("<path>") ? /^(\d+): (.*)$/su : /^ *(\d+) \| (.*)$/su;
  const lines = content.replace(/\n$/u, "").split("\n");
  const found = lines.map((line) => numbering.exec(line));
  return (
    <LongText
      label="Content"
      lines={lines.map((line, index) => found[index]?.[2] ?? line)}
      numbers={found.map((match) => match?.[1])}
    />
  );
}

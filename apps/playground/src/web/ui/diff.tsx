import { escapeLine } from "@fstools/protocol";
import { useMemo, useState } from "react";
import { Diff, Hunk, parseDiff, type FileData } from "react-diff-view";

const FIRST_LINES = 300;

/** A unified diff of one file or several; controls are visible, and what is not shown is said. */
export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }) {
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => diff.split("\n").map(escapeLine), [diff]);
  const files = useMemo(() => parse((whole ? lines : lines.slice(0, FIRST_LINES)).join("\n")), [lines, whole]);
  return (
    <div className="diff-box" role="region" aria-label={label} tabIndex={0}>
      {files.map((file, index) => (
        <div key={index}>
          {files.length > 1 && (
            <p className="diff-file">{file.newPath === "/dev/null" ? file.oldPath : file.newPath}</p>
          )}
          <Diff viewType="unified" diffType={file.type} hunks={file.hunks}>
            {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
          </Diff>
        </div>
      ))}
      {files.length === 0 && <pre className="diff-plain">{lines.join("\n")}</pre>}
      {!whole && lines.length > FIRST_LINES && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  );
}

/** Files of a diff; what has no hunks, such as a list of names, is shown as it is. */
function parse(diff: string): FileData[] {
  const sections = diff.split(/^(?=--- .*\n\+\+\+ )/mu).filter((section) => section.startsWith("--- "));
  return sections.flatMap((section) => parseDiff(`diff --git a/file b/file\n${section}`, { nearbySequences: "zip" }));
}

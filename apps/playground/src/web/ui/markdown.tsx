import { memo, type ReactNode } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { linesOf } from "../../envelope.ts";
import { printable } from "../../printable.ts";
import { hrefOf } from "../route.ts";
import { Lines } from "./lines.tsx";

const PATH = /^(?<path>[\w@.()[\]/-]*[/.][\w@.()[\]/-]*?)(?::(?<from>\d+)(?:-(?<to>\d+))?)?$/u;

/** An answer in Markdown. Paths lead to the tool bench; pictures from elsewhere are not loaded. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={{
          pre: ({ children }) => <>{children}</>,
          code: ({ className, children }) => (
            <Code language={/language-(\w+)/u.exec(className ?? "")?.[1]}>{children}</Code>
          ),
          img: ({ alt }) => <>{alt}</>,
          a: ({ href, children }) => (
            <a href={href} target="_blank" rel="noreferrer">
              {children}
            </a>
          ),
        }}
      >
        {printable(text)}
      </ReactMarkdown>
    </div>
  );
});

function Code({ language, children }: { readonly language: string | undefined; readonly children?: ReactNode }) {
  const text = typeof children === "string" ? children : "";
  if (text.includes("\n") || language !== undefined) {
    const rows = linesOf(text).map(({ line, text: code }) => ({ number: line, text: code, language }));
    return <Lines rows={rows} label="Code" />;
  }
  const { path, from, to = from } = PATH.exec(text)?.groups ?? {};
  if (path === undefined || !/\w/u.test(path)) return <code>{children}</code>;
  const page =
    from === undefined ? {} : { start_line: from, limit: String(Math.max(20, Number(to) - Number(from) + 1)) };
  return (
    <a href={path.endsWith("/") ? hrefOf("LS", { path: path.slice(0, -1) }) : hrefOf("Read", { path, ...page })}>
      <code>{children}</code>
    </a>
  );
}

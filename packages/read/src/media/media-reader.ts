import type { OnWarning } from "@fstools/protocol";
import type { SandboxFile } from "@fstools/sandbox";
import type { ReadRequest, TextReader } from "@fstools/text";
import { readImage } from "./image.ts";
import { createPdfReader } from "./pdf.ts";
import type { PictureKind } from "./structure.ts";

/** A reader of pictures and PDF files that tells the host, once, what it lacks. */
export function createMediaReader(reader: TextReader, onWarning: OnWarning | undefined) {
  const told = new Set<string>();
  const pdfs = createPdfReader(reader);
  const warnOf = (lost: string) => (missing: string) => {
    if (!told.has(missing)) onWarning?.(`Read cannot ${lost}, since ${missing} is missing.`, { tool: "Read" });
    told.add(missing);
  };
  const warnOfPictures = warnOf("make large pictures smaller");
  const warnOfPdfs = warnOf("show the text of PDF files");
  return {
    picture: (file: SandboxFile, kind: PictureKind, { maxDurationMs }: ReadRequest, signal: AbortSignal) =>
      readImage(file, kind, { maxDurationMs, signal, warn: warnOfPictures }),
    pdf: (file: SandboxFile, request: ReadRequest, signal: AbortSignal) =>
      pdfs.read(file, request, { maxDurationMs: request.maxDurationMs, signal, warn: warnOfPdfs }),
  };
}

/** Takes the parts of a text's lines; either answer `false` to get no more. */
export interface LineSink {
  /** A part of the current line, not empty. */
  text(part: string): boolean;
  /** The end of the current line. */
  end(): boolean;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;

/**
 * Splits a text that comes in pieces at "\n", "\r\n" and lone "\r", also where "\r" and "\n" come in different pieces.
 * The function it returns answers `false` as soon as the sink does.
 */
export function createLineSplitter(sink: LineSink): (piece: string) => boolean {
  let afterReturn = false;
  return (piece) => {
    let from = afterReturn && piece.startsWith("\n") ? 1 : 0;
    if (piece !== "") afterReturn = false;
    const nextEnd = createEndFinder(piece);
    while (from < piece.length) {
      const end = nextEnd(from);
      if (end > from && !sink.text(piece.slice(from, end))) return false;
      if (end === piece.length) return true;
      if (!sink.end()) return false;
      const isReturn = piece.charCodeAt(end) === RETURN;
      afterReturn = isReturn && end + 1 === piece.length;
      from = end + (isReturn && piece.charCodeAt(end + 1) === NEWLINE ? 2 : 1);
    }
    return true;
  };
}

// Remembers the next "\r", so that a text without any is searched for it only once.
function createEndFinder(piece: string): (from: number) => number {
  const find = (character: string, from: number): number => {
    const index = piece.indexOf(character, from);
    return index === -1 ? piece.length : index;
  };
  let nextReturn = find("\r", 0);
  return (from) => {
    if (nextReturn < from) nextReturn = find("\r", from);
    return Math.min(find("\n", from), nextReturn);
  };
}

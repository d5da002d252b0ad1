/** The payload of Read. */
export interface ReadData {
  /** Lines as "%4d | %s\n". */
  readonly content: string;
  /** There is more after this page. */
  readonly truncated: boolean;
  /** "replace", or the encoding that was used because the file is not UTF-8. */
  readonly fallback_encoding?: string;
  /** Set if the file changed since this tool last read it. */
  readonly modified_externally?: true;
}

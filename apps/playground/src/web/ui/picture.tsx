import type { ToolResponse } from "@fstools/protocol";

interface Media {
  readonly mime_type: string;
  readonly data: string;
  readonly width?: number;
  readonly height?: number;
}

/** The picture that an answer of Read holds, if it holds one. */
export function Picture({ response }: { readonly response: ToolResponse<object> }) {
  const { media } = response.data as { readonly media?: Media };
  if (!media) return null;
  const { mime_type: type, data, width, height } = media;
  const { path_resolved: path = "a picture" } = response.context;
  return <img className="picture" src={`data:${type};base64,${data}`} width={width} height={height} alt={path} />;
}

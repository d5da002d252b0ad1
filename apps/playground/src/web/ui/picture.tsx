import { shownSchema, type Envelope } from "../../envelope.ts";

/** The picture that an answer of Read holds, if it holds one. */
export function Picture({ response: { data, context } }: { readonly response: Envelope }) {
  const { media } = shownSchema.parse(data);
  if (!media) return null;
  const src = `data:${media.mime_type};base64,${media.data}`;
  return <img className="picture" src={src} width={media.width} height={media.height} alt={context.path_resolved} />;
}

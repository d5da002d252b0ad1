/* global Response */
import { answers } from "../../answers.js";

export const dynamic = "force-dynamic";

/** @returns {Promise<Response>} */
export async function GET() {
  return Response.json(await answers());
}

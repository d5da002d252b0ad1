export { connectToolset, type RemoteToolset } from "./connect.ts";
export type { Command } from "./process.ts";
export type { Endpoint } from "./http.ts";

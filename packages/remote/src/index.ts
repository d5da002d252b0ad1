export { connectToolset, type RemoteToolset } from "./connect.ts";
export type { Command } from "./channel/process-channel.ts";
export type { Endpoint } from "./channel/http-channel.ts";

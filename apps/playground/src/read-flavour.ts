/** Which Read the agent gets: the one of the protocol, or the one that answers as opencode does. */
export type ReadFlavour = "standard" | "opencode";

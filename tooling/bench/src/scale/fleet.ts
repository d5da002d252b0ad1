import { quantile } from "../spread.ts";

/** A kind of call: how long it keeps the server busy, and how often it is made compared with the others. */
export interface CallKind {
  readonly serviceMs: number;
  readonly weight: number;
}

/** Agents on machines with one server each. */
export interface FleetOptions {
  readonly machines: number;
  /** On all machines together; each machine has its share. */
  readonly agents: number;
  /** Time between an answer and the agent's next call, on average. */
  readonly thinkMs: number;
  /** What the way there and back adds to each call. */
  readonly roundTripMs: number;
  readonly kinds: readonly CallKind[];
  readonly durationMs: number;
  readonly seed: number;
}

/** How it went. */
export interface FleetResult {
  readonly calls: number;
  readonly callsPerSecond: number;
  /** The part of the time in which a server worked. */
  readonly busy: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

interface Call {
  readonly askedAt: number;
  leftMs: number;
}

/** Calls that wait for each other take turns of this length, as in the tools. */
const SLICE_MS = 8;

/**
 * Plays what agents and servers do, in simulated time. A server has one thread, on which all calls that are under way
 * take turns; each agent thinks, calls, waits for the answer, and thinks again. Machines do not know of each other.
 */
export function simulateFleet(options: FleetOptions): FleetResult {
  const agents = Math.ceil(options.agents / options.machines);
  const servers = Array.from({ length: options.machines }, (_, machine) =>
    simulateServer({ ...options, agents, seed: options.seed + machine }),
  );
  const latencies = servers.flatMap((server) => server.latencies).sort((a, b) => a - b);
  const totalMs = servers.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    calls: latencies.length,
    callsPerSecond: latencies.length / (totalMs / options.machines / 1000),
    busy: servers.reduce((sum, { busyMs }) => sum + busyMs, 0) / totalMs,
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

interface ServerResult {
  readonly latencies: readonly number[];
  readonly busyMs: number;
  readonly durationMs: number;
}

function simulateServer(options: FleetOptions): ServerResult {
  const { agents, thinkMs, roundTripMs, kinds, durationMs, seed } = options;
  const random = createRandom(seed);
  const think = () => -Math.log(1 - random()) * thinkMs;
  const arrivals = createTimeline();
  const ready: Call[] = [];
  const latencies: number[] = [];
  let busyMs = 0;
  let now = 0;
  for (let agent = 0; agent < agents; agent++) arrivals.add(think());
  while (now < durationMs) {
    while (arrivals.first() <= now) ready.push({ askedAt: arrivals.take(), leftMs: pick(kinds, random()).serviceMs });
    const call = ready.shift();
    if (call === undefined) {
      now = arrivals.first();
      continue;
    }
    const worked = Math.min(SLICE_MS, call.leftMs);
    now += worked;
    busyMs += worked;
    call.leftMs -= worked;
    // Calls that came in meanwhile go before the one that had its turn.
    while (arrivals.first() <= now) ready.push({ askedAt: arrivals.take(), leftMs: pick(kinds, random()).serviceMs });
    if (call.leftMs > 0) {
      ready.push(call);
      continue;
    }
    latencies.push(now - call.askedAt + roundTripMs);
    arrivals.add(now + roundTripMs + think());
  }
  return { latencies, busyMs, durationMs: now };
}

function pick(kinds: readonly CallKind[], part: number): CallKind {
  let left = part * kinds.reduce((sum, { weight }) => sum + weight, 0);
  const found = kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds.at(-1);
  if (found === undefined) throw new Error("There is no kind of call.");
  return found;
}

/** Moments in order; few are added at a time, so a sorted list will do. */
function createTimeline() {
  const moments: number[] = [];
  return {
    add: (moment: number) => {
      const at = moments.findIndex((other) => other > moment);
      moments.splice(at === -1 ? moments.length : at, 0, moment);
    },
    first: () => moments[0] ?? Infinity,
    take: () => moments.shift() ?? Infinity,
  };
}

/** The same numbers for the same seed, on every machine (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

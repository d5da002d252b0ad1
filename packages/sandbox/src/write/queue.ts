const tails = new Map<string, Promise<void>>();

/**
 * Runs `work` when all earlier work with the same key has ended: the calls of one process on one file, in order.
 * It starts at once if there is none, and learns whether it had to wait.
 * Rejects with the signal's reason if it is aborted before its turn.
 */
export async function inTurn<Result>(
  key: string,
  signal: AbortSignal,
  work: (hadToWait: boolean) => Promise<Result>,
): Promise<Result> {
  const before = tails.get(key);
  let leave: () => void = () => undefined;
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const tail = before === undefined ? mine : before.then(() => mine);
  tails.set(key, tail);
  // A call that gives up still keeps its place, so that the order is kept.
  void tail.then(() => {
    if (tails.get(key) === tail) tails.delete(key);
  });
  try {
    if (before === undefined) signal.throwIfAborted();
    else await orAborted(before, signal);
    return await work(before !== undefined);
  } finally {
    leave();
  }
}

/** The same for several keys; the order in which all take them keeps two calls from waiting for each other. */
export async function inTurns<Result>(
  keys: Iterable<string>,
  signal: AbortSignal,
  work: (hadToWait: boolean) => Promise<Result>,
): Promise<Result> {
  const ordered = [...new Set(keys)].sort();
  const enter = (index: number, hadToWait: boolean): Promise<Result> => {
    const key = ordered[index];
    return key === undefined ? work(hadToWait) : inTurn(key, signal, (waited) => enter(index + 1, hadToWait || waited));
  };
  return enter(0, false);
}

/** Settles as `promise` does, or rejects with the signal's reason if that comes first. */
export async function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is what the caller chose
      reject(signal.reason);
    };
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

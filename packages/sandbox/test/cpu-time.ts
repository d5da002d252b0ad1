/** Milliseconds of processor time that `work` takes: unlike the clock's, they do not grow when the machine is busy. */
export function cpuMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  return milliseconds(process.cpuUsage(start));
}

/** The longest turn of the event loop, in milliseconds of processor time, while `work` is under way. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = process.cpuUsage();
  let isWatching = true;
  const watch = () => {
    longest = Math.max(longest, milliseconds(process.cpuUsage(last)));
    last = process.cpuUsage();
    if (isWatching) setImmediate(watch);
  };
  watch();
  await work();
  isWatching = false;
  watch();
  return longest;
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

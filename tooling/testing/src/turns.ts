/** How often the event loop turned while `work` was under way; unlike a time, it does not depend on the machine. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isWatching = true;
  const watch = () => {
    turns += 1;
    if (isWatching) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  isWatching = false;
  return turns;
}

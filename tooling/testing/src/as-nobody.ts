const NOBODY = 65534;

/** Runs `work` without root's privileges, so that permissions matter; elsewhere just runs it. */
export async function asNobody<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const { geteuid, seteuid } = process;
  if (geteuid === undefined || seteuid === undefined || geteuid() !== 0) return work();
  seteuid(NOBODY);
  try {
    return await work();
  } finally {
    seteuid(0);
  }
}

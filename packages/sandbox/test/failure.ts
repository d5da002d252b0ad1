import { SandboxError } from "../src/error.ts";

/** What a call on the sandbox fails with; a call that succeeds fails the test. */
export async function failure(call: () => unknown): Promise<SandboxError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof SandboxError) return error;
    throw error;
  }
  throw new Error("Expected a SandboxError, but the call succeeded.");
}

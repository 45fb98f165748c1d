import type { IncomingMessage } from 'node:http';

/**
 * For a server of a test: a caller that goes away in the middle of its request, as at the end of the test, is no failure.
 * Any other error ends the run.
 */
export async function forgiveCutRequests(request: IncomingMessage, serving: Promise<unknown>): Promise<void> {
  try {
    await serving;
  } catch (error) {
    if (request.complete) throw error;
  }
}

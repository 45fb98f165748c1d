import { setTimeout as pause } from 'node:timers/promises';

interface HttpAnswer {
  statusCode: number;
}

/** The app waits for as many seconds as the answer names; a test need not. */
const SHORTENED_PAUSE_MS = 200;

/**
 * A hundred clients send one start at once, each under a key of its own. A client that is told that the server is too
 * busy asks again with its key, as the app does: its start may have been accepted all the same.
 */
export function startManyAtOnce<Answer extends HttpAnswer>(
  start: (headers: { 'idempotency-key': string }) => Promise<Answer>,
): Promise<Answer[]> {
  const clients = Array.from({ length: 100 }, async (_, client) => {
    for (;;) {
      const answer = await start({ 'idempotency-key': `client-${client}` });
      if (answer.statusCode !== 503 && answer.statusCode !== 429) return answer;
      await pause(SHORTENED_PAUSE_MS);
    }
  });
  return Promise.all(clients);
}

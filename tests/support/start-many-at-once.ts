import { setTimeout as pause } from 'node:timers/promises';

interface HttpAnswer {
  statusCode: number;
}

/** The app waits as long as the answer says. A test need not. */
const SHORTENED_PAUSE_MS = 200;

/**
 * A hundred clients send one start each at the same time, with different keys. When the server answers that it is too
 * busy, a client tries again with its key, because its start may have been accepted.
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

import { setTimeout as pause } from 'node:timers/promises';

interface HttpAnswer {
  statusCode: number;
  headers: Record<string, unknown>;
}

/**
 * A hundred clients send one start at once, each under a key of its own. One that hears that the server is too busy just now
 * asks again with its key when it was told to, as the app does, for its start may have been accepted all the same.
 */
export function startManyAtOnce<Answer extends HttpAnswer>(
  start: (headers: { 'idempotency-key': string }) => Promise<Answer>,
): Promise<Answer[]> {
  const clients = Array.from({ length: 100 }, async (_, client) => {
    for (;;) {
      const answer = await start({ 'idempotency-key': `client-${client}` });
      if (answer.statusCode !== 503 && answer.statusCode !== 429) return answer;
      await pause(1_000 * Number(answer.headers['retry-after'] ?? 1));
    }
  });
  return Promise.all(clients);
}

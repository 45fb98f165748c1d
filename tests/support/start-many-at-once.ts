/** Fewer than the forms of one account that may wait, and than the starts of a minute: none is told to try later. */
const CLIENTS = 30;

/** Thirty clients of one account send one start each at the same time, with different keys. */
export function startManyAtOnce<Answer>(
  start: (headers: { 'idempotency-key': string }) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(Array.from({ length: CLIENTS }, (_, client) => start({ 'idempotency-key': `client-${client}` })));
}

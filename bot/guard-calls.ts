import { Api } from 'grammy';
import { type Lease, NotLeadingError } from '#api/database/leadership.ts';

/**
 * The same API, but for calls of a process that does not lead any more: they throw NotLeadingError. A call that waits for
 * its turn throws at the loss, so that the claim of its message is released before another process begins the update.
 * A call that is on its way is waited for, because it may have its effect.
 */
export function guardCalls(api: Api, { check, lost }: Pick<Lease, 'check' | 'lost'>): Api {
  const guarded = new Api(api.token, api.options);
  const onTheirWay = new WeakSet<object>();
  // The first one is nearest to the network, the last one is nearest to the caller.
  guarded.config.use(
    async (call, method, payload, signal) => {
      check();
      onTheirWay.add(payload);
      return call(method, payload, signal);
    },
    ...api.config.installedTransformers(),
    async (call, method, payload, signal) => {
      check();
      // A copy, because a caller may send the same payload again.
      const own = { ...payload };
      const losing = Promise.withResolvers<never>();
      const withdraw = () => {
        if (!onTheirWay.has(own)) losing.reject(new NotLeadingError());
      };
      lost.addEventListener('abort', withdraw);
      try {
        return await Promise.race([call(method, own, signal), losing.promise]);
      } finally {
        lost.removeEventListener('abort', withdraw);
      }
    },
  );
  return guarded;
}

import type { Logger } from 'pino';
import type { GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { Mailer } from '#api/adapters/mail/mailer.ts';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import { runInSpan, type Tracing } from '#api/platform/request-context.ts';
import { timeOperation } from '#api/platform/timed-operation.ts';
import type { Metrics } from './metrics.ts';

/** Counts what became of each mail, and logs how long each takes to be sent. */
export function measureMails(
  mailer: Mailer,
  { mails }: Pick<Metrics, 'mails'>,
  log: Pick<Logger, 'warn' | 'debug'>,
): Mailer {
  return {
    ...mailer,
    async send(mail) {
      try {
        await timeOperation({ log }, 'send_mail', () => mailer.send(mail));
        mails.add(1, { result: 'sent' });
      } catch (error) {
        mails.add(1, { result: 'failed' });
        throw error;
      }
    },
  };
}

/** Counts what became of each message. */
export function countPushes(push: PushSender, { pushes }: Pick<Metrics, 'pushes'>): PushSender {
  return {
    ...push,
    async send(address, message) {
      const outcome = await push.send(address, message);
      pushes.add(1, { result: outcome.state });
      return outcome;
    },
  };
}

/** Makes each submit a span. Without tracing the engine is as it was. */
export function traceEngine(engine: GenerationEngine, tracing: Tracing | null): GenerationEngine {
  if (!tracing) return engine;
  const { name, submit } = engine;
  return {
    ...engine,
    submit: (order) => runInSpan(tracing, `submit to ${name}`, { engine: name, kind: order.kind }, () => submit(order)),
  };
}

/** Makes each file that is stored a span. Without tracing the storage is as it was. */
export function traceStorage(storage: ObjectStorage, tracing: Tracing | null): ObjectStorage {
  if (!tracing) return storage;
  return {
    ...storage,
    put: (...file) => runInSpan(tracing, 'store a file', { storage: storage.name }, () => storage.put(...file)),
  };
}

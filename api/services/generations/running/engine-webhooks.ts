import { createHmac } from 'node:crypto';
import type { GenerationEngine, WebhookRequest } from '#api/adapters/generation-engines/generation-engine.ts';
import { AppError } from '#api/platform/errors.ts';
import { isSameSecret } from '#api/platform/same-secret.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** The run's secret address for notifications of the provider. Null when nobody can reach this server. */
export function describeWebhook(
  { config }: Pick<AppContext, 'config'>,
  engine: GenerationEngine,
  runId: string,
): string | null {
  if (!engine.parseWebhook || !config.isReachable) return null;
  return `${config.publicUrl}/api/engines/${engine.name}/${makeWebhookSecret(config.sessionSecret, runId)}`;
}

/** Names the run and proves that the address was made here. */
function makeWebhookSecret(sessionSecret: string, runId: string): string {
  const id = Buffer.from(runId.replaceAll('-', ''), 'hex');
  const proof = createHmac('sha256', sessionSecret).update(`engine-webhook:${runId}`).digest().subarray(0, 16);
  return Buffer.concat([id, proof]).toString('base64url');
}

const WEBHOOK_SECRET_BYTES = 32;

/** The run that a secret address belongs to. Null when the address was not made here. */
function readWebhookSecret(sessionSecret: string, secret: string): string | null {
  const bytes = Buffer.from(secret, 'base64url');
  if (bytes.length !== WEBHOOK_SECRET_BYTES) return null;
  const runId = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isSameSecret(secret, makeWebhookSecret(sessionSecret, runId)) ? runId : null;
}

/**
 * Takes a notification of an engine's provider. It only makes the follower of the job ask at once, so a repeated, late
 * or lost one changes nothing. Throws route_not_found for an address that was not made here, forbidden for a
 * notification that is not genuine.
 */
export async function receiveEngineNotification(
  app: AppContext,
  { name, secret, ...request }: { name: string; secret: string } & WebhookRequest,
): Promise<void> {
  const engine = app.engines.find(name);
  const runId = readWebhookSecret(app.config.sessionSecret, secret);
  if (!engine?.parseWebhook || !runId) throw new AppError('route_not_found');
  const notification = await engine.parseWebhook(request);
  if (!notification) throw new AppError('forbidden');
  const noted = await app.db.engineRun.updateMany({
    where: { id: runId, engine: name, jobId: notification.jobId, status: 'submitted' },
    data: { notifiedAt: new Date() },
  });
  const log = app.log.child({ engine: name, runId });
  if (noted.count === 0) log.info('a notification of an engine came too late or twice');
}

import { createHash } from 'node:crypto';
import { isSameSecret } from '#api/platform/same-secret.ts';
import type { AppContext } from '#api/services/app-context.ts';

type Secrets = Pick<AppContext['config'], 'telegram'>;

/** The path to which Telegram sends updates. Nobody else knows it. */
export function telegramWebhookPath({ telegram }: Secrets): `/${string}` {
  const name = createHash('sha256').update(`webhook path:${telegram.webhookSecret}`).digest('hex').slice(0, 32);
  return `/api/telegram/webhook/${name}`;
}

/** Whether a call carries the secret that only Telegram knows. */
export function isFromTelegram({ telegram }: Secrets, secret: unknown): boolean {
  return typeof secret === 'string' && isSameSecret(secret, telegram.webhookSecret);
}

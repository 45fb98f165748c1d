import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/** In production only warnings and errors are logged, and lines whose field `action` has one of these values. */
const LOGGED_ACTIONS: ReadonlySet<unknown> = new Set([
  'generate_video',
  'purchase_stars',
  'login',
  'logout',
  'generation_completed',
  'generation_failed',
  'engine_outage_closed',
  'reported_file_viewed',
]);

const HIDDEN = '[hidden]';
const SECRET_KEY = /passw|secret|token|cookie|authorization|verificationcode|e-?mail/i;
/** A mailed code under the key `code`. Our error codes are lower case and stay readable. */
const MAILED_CODE = /^[A-Z0-9]{6}$/;
const EMAIL_ADDRESS = /[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+/gu;
/** URLs of Telegram contain the bot's token. */
const BOT_TOKEN = /\bbot\d+:[\w-]+/g;
/** The last part of these paths is secret, because it authorises calls. */
const WEBHOOK_PATH = /(\/api\/(?:telegram\/webhook|engines\/[\w-]+)\/)[\w-]+/g;
const MAX_DEPTH = 6;
const WARN_LEVEL = 40;

/**
 * The log of the process: one JSON object per line, or readable text on a developer's terminal. Passwords, codes,
 * e-mails, tokens, cookies and file contents never reach it. `destination` is for tests.
 */
export function createLogger(
  config: Pick<Config, 'isProduction' | 'logLevel'>,
  destination?: { write(line: string): void },
): Logger {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: serializeError },
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => hideSecrets(fields) as Record<string, unknown>,
    },
    hooks: {
      // Error messages of a mail server or the database may quote an address, and no key reveals that.
      streamWrite: (line) =>
        line.replace(EMAIL_ADDRESS, '[email]').replace(BOT_TOKEN, 'bot[token]').replace(WEBHOOK_PATH, `$1${HIDDEN}`),
      ...(config.isProduction ? { logMethod: keepProductionLines } : {}),
    },
  };
  if (destination) return pino(options, destination);
  if (!config.isProduction && process.stdout.isTTY) {
    return pino(options, pretty({ translateTime: 'HH:MM:ss.l', ignore: 'requestId', sync: true }));
  }
  return pino(options);
}

const keepProductionLines: NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> = function (
  args,
  method,
  level,
) {
  const fields: unknown = args[0];
  const action = typeof fields === 'object' && fields !== null && 'action' in fields ? fields.action : undefined;
  if (level >= WARN_LEVEL || LOGGED_ACTIONS.has(action)) method.apply(this, args);
};

/** A copy without secrets. Errors are left as they are, because their serializer handles them. */
function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1));
  // Fastify's request and reply have their own serializers.
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? HIDDEN : hideSecrets(item, depth + 1)]),
  );
}

function isSecret(key: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  if (SECRET_KEY.test(key)) return true;
  return /^code$/i.test(key) && typeof value === 'string' && MAILED_CODE.test(value);
}

function serializeError(error: Error): unknown {
  const { ...fields } = stdSerializers.err(error);
  // An error's own code comes from the system or the database, such as ENOENT.
  return { ...(hideSecrets(fields) as object), code: fields.code };
}

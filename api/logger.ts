import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/**
 * Lines with one of these in their field `action` are kept in production, where otherwise only warnings and errors are.
 */
export const LOGGED_ACTIONS: ReadonlySet<unknown> = new Set([
  'generate_video',
  'purchase_stars',
  'login',
  'logout',
  'generation_completed',
  'generation_failed',
]);

const HIDDEN = '[hidden]';
const SECRET_KEY = /passw|secret|token|cookie|authorization|verificationcode|e-?mail/i;
/** A mailed code under the key `code`; our error codes, which are lower case, stay readable. */
const MAILED_CODE = /^[A-Z0-9]{6}$/;
const EMAIL_ADDRESS = /[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+/gu;
/** Addresses of Telegram carry the bot's token. */
const BOT_TOKEN = /\bbot\d+:[\w-]+/g;
/** Whoever knows the address may knock there; what stands before it is no secret. */
const WEBHOOK_PATH = /(\/api\/telegram\/webhook\/)\w+/g;
const MAX_DEPTH = 6;
const WARN_LEVEL = 40;

/**
 * The process's log: one JSON object a line, readable text on a developer's terminal. Passwords, codes, e-mails,
 * tokens, cookies and bytes of files never reach it. `destination` is for tests.
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
      // Texts of foreign errors (a mail server, the database) may quote an address; no key tells.
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

/** A copy without what must not be written down. Errors pass: their serializer takes care of them. */
function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1));
  // Fastify's own request and reply objects are written by their serializers.
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
  // An error's own code is the system's or the database's, such as ENOENT.
  return { ...(hideSecrets(fields) as object), code: fields.code };
}

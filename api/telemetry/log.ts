import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '#api/config/config.ts';
import { findRequest } from '#api/platform/request-context.ts';
import { BOT_TOKEN, LOGGED_MAIL_ADDRESS, WEBHOOK_PATH } from '#shared/rules/outside-text.ts';
import { OutageLines } from './outage-lines.ts';

/** In production only warnings and errors are logged, and lines whose field `action` has one of these values. */
const LOGGED_ACTIONS: ReadonlySet<unknown> = new Set([
  'generation_accepted',
  'purchase_stars',
  'login',
  'logout',
  'generation_completed',
  'generation_failed',
  'engine_outage_closed',
  'result_found',
  'reported_file_viewed',
  'engine_submitted',
]);

const HIDDEN = '[hidden]';
const SECRET_KEY = /passw|secret|token|cookie|authorization|verificationcode|e-?mail/i;
/** A mailed code under the key `code`. Our error codes are lower case and stay readable. */
const MAILED_CODE = /^[A-Z0-9]{6}$/;
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
    // An error that is logged alone gets here as it is.
    serializers: { err: (value) => (value instanceof Error ? serializeError(value) : value) },
    mixin: (_fields, _level, logger) => describeRequest(logger),
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => hideSecrets(fields) as Record<string, unknown>,
    },
    hooks: {
      // Error messages of a mail server or the database may quote an address, and no key reveals that.
      streamWrite: (line) =>
        line
          .replace(LOGGED_MAIL_ADDRESS, '[email]')
          .replace(BOT_TOKEN, 'bot[token]')
          .replace(WEBHOOK_PATH, `$1${HIDDEN}`),
      logMethod: chooseLines(config),
    },
  };
  if (destination) return pino(options, destination);
  if (!config.isProduction && process.stdout.isTTY) {
    return pino(options, pretty({ translateTime: 'HH:MM:ss.l', ignore: 'requestId', sync: true }));
  }
  return pino(options);
}

/** In production drops what is no warning. Everywhere a line about an outage is written once a minute. */
function chooseLines({ isProduction }: Pick<Config, 'isProduction'>): LogMethod {
  const outages = new OutageLines();
  return function (args, method, level) {
    const [fields, message] = args as [unknown, unknown?];
    if (isProduction && level < WARN_LEVEL && !isLoggedAction(fields)) return;
    const context = () => ({ ...findRequest(), ...this.bindings() });
    outages.pass({ level, fields, message, context }, (count) => {
      if (count === 1) method.apply(this, args);
      else method.apply(this, [{ ...(fields as object), repeated: count }, String(message)]);
    });
  };
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

function isLoggedAction(fields: unknown): boolean {
  return typeof fields === 'object' && fields !== null && 'action' in fields && LOGGED_ACTIONS.has(fields.action);
}

/** What the line belongs to, unless the logger says so already. Fields of the line itself go first. */
function describeRequest(logger: Logger): object {
  const request = findRequest();
  if (!request) return {};
  const { requestId, generationId } = request;
  const bound = logger.bindings();
  return {
    ...('requestId' in bound ? {} : { requestId }),
    ...('generationId' in bound || generationId === undefined ? {} : { generationId }),
  };
}

/** A copy without secrets and without objects of libraries. */
function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return serializeError(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor.name}]`;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? HIDDEN : hideSecrets(item, depth + 1)]),
  );
}

function isSecret(key: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  if (SECRET_KEY.test(key)) return true;
  return /^code$/i.test(key) && typeof value === 'string' && MAILED_CODE.test(value);
}

/**
 * What is told of an error beside its message and its stack. Libraries hang whole objects on their errors, such as the
 * connection that has ended or the message that was not sent, so everything else stays out.
 */
const ERROR_FIELDS = [
  // The system, PostgreSQL and our own errors.
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'hostname',
  'path',
  'key',
  'reason',
  'fault',
  'failure',
  'severity',
  'routine',
  'schema',
  'table',
  'column',
  'constraint',
  // Answers of outside services: HTTP, SMTP, Telegram, S3.
  'status',
  'statusCode',
  'responseCode',
  'response',
  'command',
  'error_code',
  'description',
  'method',
  'Code',
];

function serializeError(error: Error): object {
  const { type, message, stack, aggregateErrors } = stdSerializers.err(error);
  const fields = error as unknown as Record<string, unknown>;
  const told = ERROR_FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]);
  return {
    type,
    message,
    stack,
    ...(hideSecrets(Object.fromEntries(told)) as object),
    // An error's own code comes from the system or the database, such as ENOENT.
    ...(['string', 'number'].includes(typeof fields.code) ? { code: fields.code } : {}),
    ...(aggregateErrors ? { aggregateErrors: (error as AggregateError).errors.map((one) => hideSecrets(one)) } : {}),
  };
}

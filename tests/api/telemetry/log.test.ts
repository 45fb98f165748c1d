import { afterEach, describe, expect, it, vi } from 'vitest';
import { MailUnavailableError } from '#api/adapters/mail/mailer.ts';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { NotSentError } from '#api/database/pool.ts';
import { runInRequest } from '#api/platform/request-context.ts';
import { createLogger } from '#api/telemetry/log.ts';

function openLog(isProduction = false) {
  const lines: string[] = [];
  const log = createLogger({ isProduction, logLevel: 'debug' }, { write: (line) => void lines.push(line) });
  return { log, read: () => lines.map((line) => JSON.parse(line)), raw: () => lines.join('') };
}

describe('the log', () => {
  it('hides secrets by their names, at any depth', () => {
    const { log, read } = openLog();
    log.info({
      body: {
        password: 'a',
        newPassword: 'b',
        verificationCode: 'ABC234',
        code: 'ABC234',
        email: 'x',
        nested: [{ token: 't' }],
      },
      headers: { cookie: 'podium_session=1', 'set-cookie': ['a'], authorization: 'Basic x' },
      consentVersion: '1',
    });
    expect(read()[0]).toMatchObject({
      body: {
        password: '[hidden]',
        newPassword: '[hidden]',
        verificationCode: '[hidden]',
        code: '[hidden]',
        email: '[hidden]',
        nested: [{ token: '[hidden]' }],
      },
      headers: { cookie: '[hidden]', 'set-cookie': '[hidden]', authorization: '[hidden]' },
      consentVersion: '1',
    });
  });

  it('leaves error codes readable', () => {
    const { log, read } = openLog();
    log.info({ code: 'email_taken', isEmailVerified: true });
    log.error({ err: Object.assign(new Error('no file'), { code: 'ENOENT', password: 'a' }) });
    expect(read()[0]).toMatchObject({ code: 'email_taken', isEmailVerified: true });
    expect(read()[1].err).toMatchObject({ type: 'Error', message: 'no file', code: 'ENOENT' });
  });

  it('hides addresses in texts, even in those of other programs', () => {
    const { log, raw } = openLog();
    log.info('mail to Anna.K+shop@mail.example.com and анна@почта.рф');
    log.error({ err: new Error('550 no such user <boris@example.com>') });
    expect(raw()).not.toMatch(/anna|boris|анна/i);
    expect(raw()).toContain('550 no such user <[email]>');
  });

  it('tells an error by its message, its stack and named fields, and prints no object that a library hangs on it', () => {
    const { log, read, raw } = openLog();
    class Connection {
      query = 'select 1';
      socket = { remoteAddress: '10.0.0.1' };
    }
    const ended = Object.assign(new Error('Connection terminated'), {
      code: '57P01',
      client: new Connection(),
      payload: { text: 'a message to somebody' },
    });
    log.error({ err: ended }, 'a database connection broke');
    log.warn({ warning: { cause: ended, connection: new Connection() } }, 'the queue warns');
    log.error({ err: new AggregateError([ended], 'no address answers') });
    expect(Object.keys(read()[0].err)).toEqual(['type', 'message', 'stack', 'code']);
    expect(read()[1].warning).toMatchObject({
      connection: '[Connection]',
      cause: { message: 'Connection terminated' },
    });
    expect(read()[2].err.aggregateErrors).toMatchObject([{ code: '57P01' }]);
    for (const inside of ['select 1', '10.0.0.1', 'a message to somebody']) expect(raw()).not.toContain(inside);
  });

  it('writes the size of bytes instead of the bytes', () => {
    const { log, raw } = openLog();
    log.info({ photo: Buffer.from('JPEG bytes'), nested: { pixels: new Uint8Array(12) } });
    expect(raw()).toContain('[10 bytes]');
    expect(raw()).toContain('[12 bytes]');
  });
});

describe('the log in production', () => {
  it('keeps warnings, errors, finished generations, ended outages and what people did', () => {
    const { log, read } = openLog(true);
    log.debug('detail');
    log.info('request');
    log.info({ action: 'opened_page' }, 'something else');
    log.warn('slow request');
    log.error('failed');
    const actions = [
      'generation_accepted',
      'purchase_stars',
      'login',
      'logout',
      'generation_completed',
      'generation_failed',
      'engine_outage_closed',
      'result_found',
      'reported_file_viewed',
    ];
    for (const action of actions) log.info({ action }, 'done');
    log.child({ generationId: '1' }).info('polled');
    expect(read().map(({ action, msg }) => action ?? msg)).toEqual(['slow request', 'failed', ...actions]);
  });
});

describe('an outage', () => {
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const refused = new NotSentError('no connection to the database', { cause: unreachable });
  afterEach(() => void vi.useRealTimers());

  it('is told once a minute, with the number of lines that were left out', () => {
    vi.useFakeTimers();
    const { log, read } = openLog(true);
    for (let count = 0; count < 600; count++) log.error({ err: refused }, 'request failed');
    for (let count = 0; count < 600; count++) log.error({ status: 503, error: 'unavailable' }, 'request answered');
    expect(read()).toHaveLength(2);
    vi.advanceTimersByTime(60_000);
    expect(read().slice(2)).toMatchObject([
      { level: 'error', msg: 'request failed', err: { type: 'NotSentError' }, repeated: 599 },
      { level: 'error', msg: 'request answered', error: 'unavailable', repeated: 599 },
    ]);
  });

  it('ends its minute with the line of the request that came last', () => {
    vi.useFakeTimers();
    const { log, read } = openLog(true);
    for (const requestId of ['first', 'second', 'last'])
      runInRequest({ requestId }, () => log.error({ err: refused }, 'no mail is taken'));
    vi.advanceTimersByTime(60_000);
    expect(read()).toMatchObject([{ requestId: 'first' }, { requestId: 'last', repeated: 2 }]);
  });

  it('of the storage is told like one of the database, but the end of an order is told of each', () => {
    const { log, read } = openLog();
    const err = new StorageUnavailableError(new Error('EROFS'));
    for (let count = 0; count < 5; count++) log.warn({ err }, 'generation step failed');
    for (let count = 0; count < 5; count++) log.error({ err, action: 'generation_failed' }, 'no storage for a result');
    expect(read().map(({ msg }) => msg)).toEqual([
      'generation step failed',
      ...Array(5).fill('no storage for a result'),
    ]);
  });

  it('of the mail is told once for all mails that are tried again, and a refused mail for itself', () => {
    const { log, read } = openLog();
    const cause = (code: string) => Object.assign(new Error('broken'), { code });
    const [away, noLogin] = [new MailUnavailableError(cause('ETIMEDOUT')), new MailUnavailableError(cause('EAUTH'))];
    const noSuchUser = new Error('550 no such user');
    for (let count = 0; count < 5; count++) {
      for (const err of [away, noLogin]) log.warn({ err, job: 'send-notice', jobId: String(count) }, 'a job failed');
      log.warn({ err: away, job: 'send-receipt', jobId: String(count) }, 'a job failed');
      log.warn({ err: noSuchUser, job: 'send-notice', jobId: String(count) }, 'a job failed');
    }
    const lines = read().map(({ job, err }) => `${job} ${err.code ?? err.message}`);
    expect(lines.filter((line) => !line.includes('550'))).toEqual([
      'send-notice ETIMEDOUT',
      'send-notice EAUTH',
      'send-receipt ETIMEDOUT',
    ]);
    expect(lines).toHaveLength(3 + 5);
  });

  it('is told again at once after a quiet minute', () => {
    vi.useFakeTimers();
    const { log, read } = openLog();
    log.error({ err: refused }, 'request failed');
    vi.advanceTimersByTime(60_000);
    log.error({ err: refused }, 'request failed');
    expect(read()).toHaveLength(2);
    expect(read()[1]).not.toHaveProperty('repeated');
  });

  it('does not hide another one whose lines say the same', () => {
    vi.useFakeTimers();
    const { log, read } = openLog();
    const full = Object.assign(new Error('too many clients'), { code: '53300' });
    for (let count = 0; count < 3; count++) {
      for (const err of [refused, full, new StorageUnavailableError(null)]) log.error({ err }, 'request failed');
    }
    expect(read().map(({ err }) => err.code ?? err.type)).toEqual(['NotSentError', '53300', 'StorageUnavailableError']);
    vi.advanceTimersByTime(60_000);
    expect(read().slice(3)).toMatchObject(Array(3).fill({ repeated: 2 }));
  });

  it('is told once for all orders that are tried again, and with the last word about each', () => {
    const { log, read } = openLog();
    for (let count = 0; count < 5; count++) {
      const own = log.child({ generationId: String(count) });
      own.warn({ err: refused }, 'generation step failed, trying again');
      own.error({ err: refused }, 'generation failed');
      runInRequest({ requestId: 'r', generationId: String(count) }, () =>
        log.error({ err: refused }, 'it was given up'),
      );
    }
    expect(read().filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(read().filter(({ level }) => level === 'error')).toHaveLength(10);
  });

  it.each([
    ['a payment', { err: refused, paymentId: 'a' }],
    ['a job', { err: refused, jobId: 'a', job: 'watchdog' }],
    ['an order', { error: 'storage_unavailable', generationId: 'a' }],
    ['what somebody did', { error: 'unavailable', action: 'purchase_stars' }],
    ['the server of somebody else', { err: new Error('no mail server', { cause: unreachable }) }],
  ])('hides no error about %s', (_name, fields) => {
    const { log, read } = openLog();
    for (let count = 0; count < 5; count++) log.error(fields, 'it failed');
    expect(read()).toHaveLength(5);
  });

  it('hides no error of the program', () => {
    const { log, read } = openLog();
    for (let count = 0; count < 5; count++) log.error({ err: new Error('a bug') }, 'request failed');
    expect(read()).toHaveLength(5);
  });
});

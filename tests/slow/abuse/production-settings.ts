import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSmtpMailer } from '#api/adapters/mail/smtp-mailer.ts';
import { startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';
import type { AbuseCase } from './abuse-fixture.ts';

/** A refused start ends at once. One that goes on listens, and is ended after this time. */
const START_MS = 120_000;

/** Starts with these settings. Resolves with the exit code and the setting that the program names. */
async function start(env: Record<string, string>): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-abuse-start-'));
  const child = spawn(process.execPath, ['api/commands/start.ts'], {
    env: { PATH: process.env.PATH ?? '', ...env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: START_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  const note = (chunk: Buffer) => {
    output += chunk;
    if (output.includes('is ready after')) child.kill('SIGKILL');
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const [code] = await once(child, 'close');
  rmSync(dataDir, { recursive: true, force: true });
  const named = [...output.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
  return code === null ? 'it starts' : `exit ${code}, ${named.join()}`;
}

/** Starts that would sell for nothing, show codes to everybody, or send them in clear. */
export const SETTINGS_CASES: AbuseCase[] = [
  {
    name: 'an https address without NODE_ENV',
    expected: 'exit 1, NODE_ENV',
    try: () => start({ PUBLIC_URL: 'https://podium.example' }),
  },
  {
    name: 'an http address of others without NODE_ENV',
    expected: 'exit 1, NODE_ENV',
    try: () => start({ PUBLIC_URL: 'http://podium.example' }),
  },
  {
    name: 'an https address with NODE_ENV=test',
    expected: 'exit 1, NODE_ENV',
    try: () => start({ PUBLIC_URL: 'https://podium.example', NODE_ENV: 'test' }),
  },
  {
    name: 'the keys of a test shop in production',
    expected: 'exit 1, YOOKASSA_SECRET_KEY',
    try: () => start({ ...PRODUCTION_ENV, YOOKASSA_SECRET_KEY: 'test_fake-secret-key' }),
  },
  {
    name: 'a mail server on whose way somebody has removed STARTTLS',
    expected: 'ETLS, 0 sign-ins, 0 mails',
    async try() {
      const smtp = await startFakeSmtpServer();
      const url = `smtp://robot:secret@127.0.0.1:${smtp.port}`;
      const mailer = createSmtpMailer({ url, tls: 'required', from: 'robot@podium.example' });
      const mail = { to: 'anna@example.com', subject: 'Код', text: 'K7M2QX', html: 'K7M2QX' };
      const seen = await mailer.send(mail).then(
        () => 'sent',
        (error: Error & { code?: string }) => error.code,
      );
      await mailer.close();
      await smtp.close();
      return `${seen}, ${smtp.countLogins()} sign-ins, ${smtp.mails.length} mails`;
    },
  },
];

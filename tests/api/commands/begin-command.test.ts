import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runDoctorCommand } from '#api/commands/doctor/doctor.ts';
import { runOperatorCommand } from '#api/commands/run-operator-command.ts';
import { readCommandConfig } from '#api/config/config.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';

const COMMANDS = [
  ['books', []],
  ['packages', []],
  ['admin', ['boss@example.com']],
  ['backup', ['backup']],
  ['restore', ['backup']],
] as const;
const SOMEBODY = 12_345;
const KNOWN = getCACertificates('default');

let place: TestDatabasePlace;
beforeAll(async () => {
  place = await createTestDatabase();
});
afterAll(() => place.remove());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-begin-'));
});
afterEach(() => {
  setDefaultCACertificates(KNOWN);
  rmSync(folder, { recursive: true, force: true });
});

const run = (name: string, args: readonly string[], env: Record<string, string | undefined>) =>
  runOperatorCommand(name, [...args], readCommandConfig(env), () => {});
/** In a process of its own, as `npm run db:migrate` does. */
const migrate = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['api/commands/migrate.ts'], { env: { ...process.env, ...env }, encoding: 'utf8' });

describe('a command that root runs in a folder of somebody else', () => {
  const refusal = `belongs to the user ${SOMEBODY}`;
  beforeEach(({ skip }) => {
    if (process.getuid?.() !== 0) skip();
    chownSync(folder, SOMEBODY, SOMEBODY);
  });

  it.each(COMMANDS)('is refused before it makes anything: %s', async (name, args) => {
    const env = { DATA_DIR: folder, DATABASE_URL: place.databaseUrl };
    await expect(run(name, args, env)).rejects.toThrow(refusal);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused as the doctor, which writes to the storage, and as a migration', async () => {
    const env = { NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: place.databaseUrl };
    await expect(runDoctorCommand([], env)).rejects.toThrow(refusal);
    const { status, stderr } = migrate({ DATA_DIR: folder });
    expect([status, stderr]).toEqual([1, expect.stringContaining(refusal)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says which user may run it', async () => {
    await expect(run('books', [], { DATA_DIR: folder })).rejects.toThrow(
      `setpriv --reuid=${SOMEBODY} --regid=${SOMEBODY} --clear-groups`,
    );
  });
});

it('a missing folder belongs to nobody, so it is still reported as missing', async () => {
  const missing = path.join(folder, 'none');
  await expect(run('books', [], { DATA_DIR: missing })).rejects.toThrow('a folder with a database of Podium');
  expect(existsSync(missing)).toBe(false);
});

describe('EXTRA_CA_FILE', () => {
  it.each(COMMANDS)('counts for the calls of %s', async (name, args) => {
    const { key, certificate } = await makeCertificate();
    const file = path.join(folder, 'authorities.pem');
    writeFileSync(file, certificate);
    const server = createServer({ key, cert: certificate }, (_request, response) => response.end('here'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const ask = () => fetch(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      await expect(ask()).rejects.toThrow();
      // Whether it finds what it needs in an empty folder does not matter here.
      await run(name, args, { DATA_DIR: path.join(folder, 'none'), EXTRA_CA_FILE: file }).catch(() => {});
      expect(await (await ask()).text()).toBe('here');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('stops a command and a migration when it names no certificates', () => {
    const env = { DATA_DIR: folder, EXTRA_CA_FILE: path.join(folder, 'none.pem') };
    const complaint = 'EXTRA_CA_FILE: a file with certificates in PEM';
    expect(() => readCommandConfig(env)).toThrow(complaint);
    expect(migrate(env).stderr).toContain(complaint);
  });
});

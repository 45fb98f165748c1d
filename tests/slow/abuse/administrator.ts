import { execFileSync } from 'node:child_process';
import { computeTotp, stepAt } from '#api/services/accounts/second-factor.ts';
import { type AbuseFixture, cookieOf } from './abuse-fixture.ts';

export const ADMINISTRATOR_PASSWORD = 'a-password-of-my-own';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The administrator of a server, who is made and renewed with the operator's command. */
export class Administrator {
  readonly email = 'admin@example.com';
  /** For the operator's commands. */
  readonly env: NodeJS.ProcessEnv;

  constructor(dataDir: string) {
    this.env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' };
  }

  /** Makes or renews the account. Returns the printed password. */
  renew(): string {
    const run = { env: this.env, encoding: 'utf8' } as const;
    const printed = execFileSync(process.execPath, ['api/commands/operator.ts', 'admin', this.email], run);
    const password = /Пароль: (\S+)/.exec(printed)?.[1];
    if (!password) throw new Error(`no password in: ${printed}`);
    return password;
  }

  async signIn(fixture: AbuseFixture, password: string): Promise<string> {
    return cookieOf(await fixture.post('/api/login', { email: this.email, password }));
  }

  /** Renews the account and replaces the printed password. Returns the Cookie header, without a second factor. */
  async enter(fixture: AbuseFixture): Promise<string> {
    const printed = this.renew();
    const body = { currentPassword: printed, newPassword: ADMINISTRATOR_PASSWORD };
    const cookie = await this.signIn(fixture, printed);
    return cookieOf(await fixture.post('/api/account/password', body, { cookie }));
  }

  /** Sets up the second factor, which confirms the session. Returns the code that was used. */
  async confirm(fixture: AbuseFixture, cookie: string): Promise<string> {
    const begun = await fixture.post('/api/admin/second-factor', { password: ADMINISTRATOR_PASSWORD }, { cookie });
    const { secret } = (await begun.json()) as { secret: string };
    const code = computeTotp(readBase32(secret), stepAt(new Date()));
    await fixture.post('/api/admin/second-factor/confirm', { code }, { cookie });
    return code;
  }
}

function readBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

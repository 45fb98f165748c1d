import { execFileSync } from 'node:child_process';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { type AbuseCase, type AbuseFixture, describeAnswer } from './abuse-fixture.ts';
import { type Administrator, ADMINISTRATOR_PASSWORD as password } from './administrator.ts';

const EVENTS = 31;

/** Attempts of somebody who has an administrator's printed password or open session. */
export function administratorCases(administrator: Administrator): AbuseCase[] {
  const { email, env } = administrator;
  const correct = (fixture: AbuseFixture, cookie: string) =>
    fixture.post('/api/admin/users/1000/correction', { delta: 1000, reason: 'подарок' }, { cookie });
  return [
    {
      name: 'a printed password that nobody has changed',
      expected: '200, 403 password_change_required, 403 password_change_required, 400 password_short',
      async try(fixture) {
        const printed = administrator.renew();
        const cookie = await administrator.signIn(fixture, printed);
        const short = { currentPassword: printed, newPassword: 'seven-7' };
        return [
          await describeAnswer(await fixture.call('/api/auth/user', { cookie })),
          await describeAnswer(await fixture.call('/api/admin/payments', { cookie })),
          await describeAnswer(await correct(fixture, cookie)),
          await describeAnswer(await fixture.post('/api/account/password', short, { cookie })),
        ].join(', ');
      },
    },
    {
      name: 'stars by a session that somebody has stolen, before there is a second factor',
      expected: '403 second_factor_required, 400 wrong_password',
      async try(fixture) {
        const cookie = await administrator.enter(fixture);
        const begun = await fixture.post('/api/admin/second-factor', { password: 'guess' }, { cookie });
        return `${await describeAnswer(await correct(fixture, cookie))}, ${await describeAnswer(begun)}`;
      },
    },
    {
      name: 'stars by another session, with the password, and with a code that was used',
      expected: '403 confirmation_required, 400 second_factor_code_wrong, 403 confirmation_required',
      async try(fixture) {
        const cookie = await administrator.enter(fixture);
        const code = await administrator.confirm(fixture, cookie);
        const other = await administrator.signIn(fixture, password);
        return [
          await describeAnswer(await correct(fixture, other)),
          await describeAnswer(await fixture.post('/api/admin/confirmation', { password, code }, { cookie: other })),
          await describeAnswer(await correct(fixture, other)),
        ].join(', ');
      },
    },
    {
      name: 'an administrator of the setting who is demoted',
      expected: 'exit 1, it stays one',
      async try() {
        try {
          const run = { env, encoding: 'utf8', stdio: 'pipe' } as const;
          return execFileSync(process.execPath, ['api/commands/operator.ts', 'admin', email, '--demote'], run);
        } catch (error) {
          const { status, stderr = '', stdout = '' } = error as { status: number; stderr?: string; stdout?: string };
          return `exit ${status}, ${/it stays one/.exec(stderr + stdout)?.[0]}`;
        }
      },
    },
    {
      name: 'another photo under the key of the first',
      expected: '200, 200, 409 idempotency_key_reused',
      async try(fixture) {
        const cookie = await fixture.register('two-photos@example.com');
        const send = async (photo: Buffer) => {
          const body = new FormData();
          body.set('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
          const headers = { 'idempotency-key': 'the-same-key' };
          return describeAnswer(await fixture.call('/api/upload', { method: 'POST', body, cookie, headers }));
        };
        const [first, other] = [
          await drawProductPhoto('garment', { width: 600, height: 800 }),
          await drawProductPhoto('shoe', { width: 600, height: 800 }),
        ];
        return [await send(first), await send(first), await send(other)].join(', ');
      },
    },
    {
      name: 'events by the thousand',
      expected: '30 taken, then 429 too_many_requests',
      async try(fixture) {
        const body = { event_name: 'buy_stars_click', page_location: '/app' };
        const headers = { 'x-forwarded-for': '203.0.113.250' };
        let taken = 0;
        let last = '';
        for (let count = 0; count < EVENTS; count++) {
          last = await describeAnswer(await fixture.post('/api/analytics/event', body, { headers }));
          if (last.startsWith('2')) taken += 1;
        }
        return `${taken} taken, then ${last}`;
      },
    },
    {
      name: 'what the browser keeps of somebody who has signed out',
      expected: '204, "cache"',
      async try(fixture) {
        const cookie = await fixture.register('leaving@example.com');
        const answer = await fixture.call('/api/logout', { method: 'POST', cookie });
        return `${answer.status}, ${answer.headers.get('clear-site-data')}`;
      },
    },
  ];
}

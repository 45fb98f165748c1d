import { beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '#api/server.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { readCode, registerUnverified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let user: TestUser;
beforeAll(async () => {
  user = await registerUnverified(testApp);
});

const open = (url: string, options: { address?: string; headers?: Record<string, string> } = {}) =>
  testApp.server.inject({
    url,
    remoteAddress: options.address ?? '127.0.0.1',
    headers: { host: 'localhost:3000', ...options.headers },
  });
const addressOfMail = async () =>
  /href="(\/dev\/mailbox\/[^"]+\.eml)"/.exec((await open('/dev/mailbox')).body)?.[1] ?? '';

describe('the developer’s mailbox', () => {
  it('lists mails, newest first, with decoded subjects', async () => {
    const { email } = await registerUnverified(testApp);
    const { body } = await open('/dev/mailbox');
    expect(body).toContain('Код подтверждения — «Подиум»');
    expect(body.indexOf(email)).toBeLessThan(body.indexOf(user.email));
    expect(body.indexOf(email)).toBeGreaterThan(0);
  });

  it('shows one mail as text and as it looks, fenced in', async () => {
    const { email } = await registerUnverified(testApp);
    const address = await addressOfMail();
    const page = await open(address);
    const code = await readCode(testApp, email);
    expect(page.body).toContain(code);
    expect(page.body).toContain(`<iframe title="Письмо" sandbox src="${address}/html">`);
    const html = await open(`${address}/html`);
    expect(html.body).toContain(code);
    expect(html.headers['content-security-policy']).toContain("default-src 'none'");
    expect(html.headers['content-security-policy']).toContain('sandbox');
  });

  it('shows what a mail says as text, not as a part of the page', async () => {
    await testApp.app.mailer.send({
      to: user.email,
      subject: '<script>a</script>',
      text: '<b>b</b>',
      html: '<i>i</i>',
    });
    const [list, page] = [await open('/dev/mailbox'), await open(await addressOfMail())];
    expect(list.body + page.body).not.toMatch(/<script>|<b>/);
    expect(page.body).toContain('&#60;b&#62;');
  });

  it('opens no file but its own', async () => {
    for (const name of ['..%2Fsecrets%2Fsession-secret', '%2Fetc%2Fpasswd', 'none.eml']) {
      expect((await open(`/dev/mailbox/${name}`)).statusCode).toBe(404);
    }
  });

  it.each([
    ['another machine', { address: '192.168.1.7' }],
    [
      'another machine that claims to be this one',
      { address: '192.168.1.7', headers: { 'x-forwarded-for': '127.0.0.1' } },
    ],
    ['a visitor behind a tunnel', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a foreign name that leads here', { headers: { host: 'evil.example' } }],
  ])('is not there for %s', async (_name, options) => {
    expect((await open('/dev/mailbox', options)).statusCode).toBe(404);
    expect((await open(await addressOfMail(), options)).statusCode).toBe(404);
  });

  it('is not there when mails go to a mail server', async () => {
    const { app } = testApp;
    const server = await createServer({ ...app, mailer: { ...app.mailer, name: 'smtp' } });
    expect((await server.inject({ url: '/dev/mailbox', headers: { host: 'localhost' } })).statusCode).toBe(404);
    await server.close();
  });

  it('is not there in production', async () => {
    const { app } = testApp;
    const server = await createServer({ ...app, config: { ...app.config, isProduction: true } });
    const response = await server.inject({ url: '/dev/mailbox', headers: { host: 'localhost' } });
    expect(response.body).not.toContain('Код подтверждения');
    expect(response.statusCode).not.toBe(200);
    await server.close();
  });

  it('is shown to nobody where the server has a public address, also behind a proxy that tells nothing', async () => {
    for (const PUBLIC_URL of ['http://podium.example', 'https://podium.example']) {
      const server = await createServer({ ...testApp.app, config: { ...testApp.app.config, publicUrl: PUBLIC_URL } });
      const answer = await server.inject({ url: '/dev/mailbox', headers: { host: '127.0.0.1:3000' } });
      expect(answer.statusCode).toBe(404);
      await server.close();
    }
  });
});

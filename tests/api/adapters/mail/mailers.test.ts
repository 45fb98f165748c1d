import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Mail, MailUnavailableError } from '#api/adapters/mail/mailer.ts';
import { createOutboxMailer } from '#api/adapters/mail/outbox-mailer.ts';
import { createSmtpMailer } from '#api/adapters/mail/smtp-mailer.ts';
import { trustAuthorities } from '#api/adapters/trust-authorities.ts';
import { type FakeSmtpServer, startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';

const FROM = 'Подиум <no-reply@podium.example>';
const MAIL: Mail = {
  to: 'Anna+K@example.com',
  subject: 'Код подтверждения — «Подиум»',
  text: 'Подтвердите email\n\nK7M2QX\n\nВведите этот код на странице подтверждения, пожалуйста: он действует 10 минут.',
  html: '<p>Код: <b>K7M2QX</b></p>',
};

async function expectSameMail(source: string | Buffer): Promise<void> {
  const mail = await PostalMime.parse(source);
  expect(mail.from).toMatchObject({ name: 'Подиум', address: 'no-reply@podium.example' });
  expect(mail.to).toMatchObject([{ address: MAIL.to }]);
  expect(mail.subject).toBe(MAIL.subject);
  expect(mail.text?.trim()).toBe(MAIL.text);
  expect(mail.html?.trim()).toBe(MAIL.html);
}

describe('the outbox', () => {
  let folder: string;
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'podium-outbox-')), 'outbox');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  it('keeps each mail as one file that a mail program opens', async () => {
    const mailer = createOutboxMailer({ folder, from: FROM });
    await mailer.send(MAIL);
    const names = await readdir(folder);
    expect(names).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d-]+Z_anna-k-example\.com_[0-9a-f]{6}\.eml$/)]);
    await expectSameMail(await readFile(path.join(folder, names[0] ?? '')));
  });

  it('shows a code unbroken even in the source', async () => {
    await createOutboxMailer({ folder, from: FROM }).send(MAIL);
    const [name = ''] = await readdir(folder);
    expect(await readFile(path.join(folder, name), 'utf8')).toMatch(/^K7M2QX\r$/m);
  });

  it('lists mails in the order they were sent, and loses none that are sent at once', async () => {
    const mailer = createOutboxMailer({ folder, from: FROM });
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await mailer.send({ ...MAIL, to: 'z@example.com' });
    vi.advanceTimersByTime(1);
    await Promise.all(Array.from({ length: 20 }, () => mailer.send({ ...MAIL, to: 'a@example.com' })));
    const names = (await readdir(folder)).sort();
    expect(names).toHaveLength(21);
    expect(names[0]).toContain('z-example.com');
  });

  it('removes its own mails after 30 days, and nothing else', async () => {
    await mkdir(folder);
    const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60_000).toISOString().replace(/[:.]/g, '-');
    const kept = [`${day(29)}_anna-example.com_aaaaaa.eml`, '2001-notes.txt'];
    const old = [`${day(31)}_anna-example.com_bbbbbb.eml`, `${day(400)}_anna-example.com_cccccc.eml.part`];
    for (const name of [...kept, ...old]) await writeFile(path.join(folder, name), '');
    await createOutboxMailer({ folder, from: FROM }).send(MAIL);
    const names = await readdir(folder);
    expect(names).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(kept));
  });

  it('takes no mail while its folder is away, and says that it is not about this mail', async () => {
    await writeFile(folder, 'no folder');
    const mailer = createOutboxMailer({ folder, from: FROM });
    for (const call of [() => mailer.send(MAIL), () => mailer.check()]) {
      await expect(call()).rejects.toThrow(MailUnavailableError);
      await expect(call()).rejects.toMatchObject({ code: 'EEXIST' });
    }
  });

  it('has taken a mail even if old ones cannot be removed, and says that', async () => {
    // A folder with the name of a mail cannot be removed as one.
    await mkdir(path.join(folder, '2001-01-01T00-00-00-000Z_anna-example.com_aaaaaa.eml'), { recursive: true });
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    await createOutboxMailer({ folder, from: FROM }).send(MAIL);
    expect(await readdir(folder)).toHaveLength(2);
    expect(warned.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringContaining(folder) })]]);
    warned.mockRestore();
  });

  const disk = mountSmallDisk(1_000_000);
  afterAll(() => disk?.remove());
  it.skipIf(!disk)('takes no mail while its disk is full, and leaves nothing of it', async () => {
    const mailer = createOutboxMailer({ folder: disk!.folder, from: FROM });
    await mailer.check();
    disk!.leave(0);
    await expect(mailer.check()).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(mailer.send({ ...MAIL, text: 'x'.repeat(100_000) })).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(disk!.folder)).toEqual([]);
    disk!.makeRoom();
    await mailer.check();
    expect(await readdir(disk!.folder)).toEqual([]);
  });

  it('cannot be led out of its folder by an address', async () => {
    await createOutboxMailer({ folder, from: FROM }).send({ ...MAIL, to: '"../../x"@example.com' });
    expect(await readdir(folder)).toHaveLength(1);
  });
});

describe('a mail server', () => {
  let smtp: FakeSmtpServer;
  beforeEach(async () => {
    smtp = await startFakeSmtpServer();
  });
  const mailers: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const mailer of mailers.splice(0)) await mailer.close();
    await smtp.close();
  });

  function createMailer(user = '', protocol = 'smtp:', tls: 'required' | 'if offered' | 'off' = 'if offered') {
    const mailer = createSmtpMailer({ url: `${protocol}//${user}127.0.0.1:${smtp.port}`, tls, from: FROM });
    mailers.push(mailer);
    return mailer;
  }

  /** Sends a mail and returns the failure. */
  const fail = (to = MAIL.to, mailer = createMailer()) => mailer.send({ ...MAIL, to }).catch((error: unknown) => error);

  it('gets the mail after a sign-in with the credentials of its address', async () => {
    await createMailer('robot:p%40ss@').send(MAIL);
    expect(smtp.mails).toMatchObject([{ from: 'no-reply@podium.example', to: [MAIL.to], credentials: 'robot:p@ss' }]);
    await expectSameMail(smtp.mails[0]?.source ?? '');
  });

  it('is checked by a sign-in, without a mail', async () => {
    const mailer = createMailer('robot:p%40ss@');
    await mailer.check();
    expect(smtp.mails).toEqual([]);
    smtp.refuseLogins();
    await expect(mailer.check()).rejects.toMatchObject({ code: 'EAUTH', cause: { responseCode: 535 } });
    await expect(mailer.check()).rejects.toThrow(MailUnavailableError);
    await expect(mailer.send(MAIL)).rejects.toThrow(MailUnavailableError);
  });

  describe('with a certificate', () => {
    const known = getCACertificates('default');
    let pair: Awaited<ReturnType<typeof makeCertificate>>;
    beforeAll(async () => {
      pair = await makeCertificate();
      trustAuthorities([pair.certificate]);
    });
    afterAll(() => setDefaultCACertificates(known));
    const serve = async (tls: 'starttls' | 'only') => {
      await smtp.close();
      smtp = await startFakeSmtpServer({ tls, certificate: pair });
    };
    const send = (protocol: string, tls: 'required' | 'if offered' | 'off') =>
      createMailer('robot:p@', protocol, tls).send(MAIL);

    it.each([
      ['starttls', 'smtp:', 'required', true],
      ['starttls', 'smtp:', 'if offered', true],
      ['starttls', 'smtp:', 'off', false],
      ['only', 'smtps:', 'required', true],
    ] as const)('that offers TLS (%s) gets mails at %s, where it is %s', async (offers, protocol, tls, isEncrypted) => {
      await serve(offers);
      await send(protocol, tls);
      expect(smtp.mails).toMatchObject([{ credentials: 'robot:p', wasEncrypted: isEncrypted }]);
    });

    it('that does not offer the TLS that is required gets no mail, no user and no password', async () => {
      await expect(send('smtp:', 'required')).rejects.toThrow(MailUnavailableError);
      expect(smtp.countLogins()).toBe(0);
      expect(smtp.mails).toEqual([]);
    });

    it('whose certificate nobody vouches for gets no mail, no user and no password', async () => {
      setDefaultCACertificates(known);
      for (const [offers, protocol] of [
        ['starttls', 'smtp:'],
        ['only', 'smtps:'],
      ] as const) {
        await serve(offers);
        await expect(send(protocol, 'required')).rejects.toThrow(MailUnavailableError);
        expect(smtp.countLogins()).toBe(0);
        expect(smtp.mails).toEqual([]);
      }
    });
  });

  it('that refuses the mail makes sending fail, which says nothing about other mails', async () => {
    smtp.refuseAt('RCPT TO', 550);
    const refusal = await fail();
    expect(refusal).toMatchObject({ responseCode: 550 });
    expect(refusal).not.toBeInstanceOf(MailUnavailableError);
  });

  it.each([
    ['the sender for now', 'MAIL FROM', 452, true],
    ['the sender for good', 'MAIL FROM', 553, true],
    ['every text for now', 'DATA', 452, true],
    ['this text for good', 'DATA', 554, false],
    ['to relay for good', 'RCPT TO', 554, true, '5.7.1 <anna@example.com>: Relay access denied'],
    ['to relay for now', 'RCPT TO', 454, true, '4.7.1 <anna@example.com>: Relay access denied'],
    ['us without a sign-in', 'RCPT TO', 530, true, 'Authentication required'],
    ['us by a policy', 'RCPT TO', 550, true, '5.7.1 Client host blocked'],
    ['to go on', 'RCPT TO', 421, true, '4.3.2 Service shutting down'],
    ['a recipient that it does not know', 'RCPT TO', 550, false, '5.1.1 <anna@example.com>: User unknown 5.7.1'],
    ['a recipient whose mailbox is full', 'RCPT TO', 452, false, '4.2.2 Mailbox full'],
    ['a recipient in a greylist', 'RCPT TO', 450, false, '4.7.1 Greylisted, try again in 300 seconds'],
    ['a recipient in a greylist, as a local error', 'RCPT TO', 451, false, '4.7.1 Greylisting in action'],
    ['a recipient without a reason', 'RCPT TO', 554, false, 'Transaction failed'],
  ] as const)(
    'that refuses %s tells whether it is about this mail alone',
    async (_what, step, responseCode, isForAll, text?: string) => {
      smtp.refuseAt(step, responseCode, text);
      const refusal = await fail();
      expect(refusal).toBeInstanceOf(Error);
      expect(refusal instanceof MailUnavailableError).toBe(isForAll);
      expect(smtp.mails).toEqual([]);
    },
  );

  it.each([
    ['Exim', 550, 'relay not permitted, authentication required'],
    ['OpenSMTPD', 550, 'Invalid recipient: <anna@example.com>'],
    ['Postfix', 554, '5.7.1 <anna@example.com>: Relay access denied'],
  ])('that relays for nobody is an outage after three different recipients: %s', async (_server, code, text) => {
    const mailer = createMailer();
    const sendTo = (to: string) => fail(to, mailer);
    smtp.refuseAt('RCPT TO', code, text);
    await sendTo('a@example.com');
    await sendTo('b@example.com');
    expect(await sendTo('c@example.com')).toBeInstanceOf(MailUnavailableError);
    // It lasts until a mail is taken.
    expect(await sendTo('a@example.com')).toBeInstanceOf(MailUnavailableError);
    smtp.accept('RCPT TO');
    expect(await sendTo('a@example.com')).toBeUndefined();
    smtp.refuseAt('RCPT TO', 550, '5.1.1 User unknown');
    expect(await sendTo('b@example.com')).not.toBeInstanceOf(MailUnavailableError);
  });

  it('that refuses one recipient again and again, or for now, is not out of order', async () => {
    const mailer = createMailer();
    const sendTo = (to: string) => fail(to, mailer);
    smtp.refuseAt('RCPT TO', 550, 'Invalid recipient: <anna@example.com>');
    for (let tries = 0; tries < 4; tries++) {
      expect(await sendTo('a@example.com')).not.toBeInstanceOf(MailUnavailableError);
    }
    smtp.refuseAt('RCPT TO', 450, '4.7.1 Greylisted, try again in 300 seconds');
    for (const to of ['b@example.com', 'c@example.com', 'd@example.com']) {
      expect(await sendTo(to)).not.toBeInstanceOf(MailUnavailableError);
    }
  });

  it('that is not there makes sending fail', async () => {
    await smtp.close();
    const refusal = await fail();
    expect(refusal).toBeInstanceOf(MailUnavailableError);
    expect(refusal).toHaveProperty('cause.message', expect.stringContaining('ECONNREFUSED'));
    // Only now, because it may get the same port.
    smtp = await startFakeSmtpServer();
  });
});

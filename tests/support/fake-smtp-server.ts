import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  from: string;
  to: string[];
  /** The message as it was received. */
  source: string;
  /** The sender's credentials, `user:password`. */
  credentials: string | null;
  /** Whether it came by TLS. */
  wasEncrypted: boolean;
}

type Step = 'MAIL FROM' | 'RCPT TO' | 'DATA';

export type FakeSmtpServer = Awaited<ReturnType<typeof startFakeSmtpServer>>;

interface FakeSmtpOptions {
  /** How it offers TLS: not at all, by STARTTLS, or from the first byte on. */
  tls?: 'none' | 'starttls' | 'only';
  /** In PEM. Needed for TLS. */
  certificate?: { key: string; certificate: string };
}

/** A mail server that keeps all mails and accepts any credentials. */
export async function startFakeSmtpServer({ tls = 'none', certificate }: FakeSmtpOptions = {}) {
  const mails: ReceivedMail[] = [];
  let logins = 0;
  let refusesLogins = false;
  const refusals = new Map<Step, Error>();
  const findRefusal = (step: Step) => refusals.get(step) ?? null;
  const server = new SMTPServer({
    logger: false,
    secure: tls === 'only',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    ...(certificate ? { key: certificate.key, cert: certificate.certificate } : {}),
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      logins += 1;
      if (refusesLogins) done(Object.assign(new Error('wrong user name or password'), { responseCode: 535 }));
      else done(null, { user: `${username}:${password}` });
    },
    onMailFrom: (_address, _session, done) => done(findRefusal('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(findRefusal('RCPT TO')),
    onData(stream, { envelope, user, secure }, done) {
      buffer(stream).then((source) => {
        const refusal = findRefusal('DATA');
        if (refusal) return done(refusal);
        const { mailFrom, rcptTo } = envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: source.toString(),
          credentials: typeof user === 'string' ? user : null,
          wasEncrypted: secure,
        });
        return done(null);
      }, done);
    },
  });
  // A sender that does not trust the certificate hangs up in the middle of the handshake.
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    mails,
    /** Refused ones too. */
    countLogins: () => logins,
    /** Refuses every sender, every recipient, or every mail after its text, from now on. */
    refuseAt(step: Step, responseCode: number, text = `${step} refused`) {
      refusals.set(step, Object.assign(new Error(text), { responseCode }));
    },
    /** Takes back `refuseAt`. */
    accept: (step: Step) => void refusals.delete(step),
    /** Refuses every user name and password from now on. */
    refuseLogins() {
      refusesLogins = true;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

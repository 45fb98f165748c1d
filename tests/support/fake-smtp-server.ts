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
}

type Step = 'MAIL FROM' | 'RCPT TO' | 'DATA';

export interface FakeSmtpServer {
  port: number;
  mails: ReceivedMail[];
  /** Refused ones too. */
  countLogins(): number;
  /** Refuses every sender, every recipient, or every mail after its text, from now on. */
  refuseAt(step: Step, responseCode: number, text?: string): void;
  /** Refuses every user name and password from now on. */
  refuseLogins(): void;
  close(): Promise<void>;
}

/** A mail server without TLS that keeps all mails and accepts any credentials. */
export async function startFakeSmtpServer(): Promise<FakeSmtpServer> {
  const mails: ReceivedMail[] = [];
  let logins = 0;
  let refusesLogins = false;
  const refusals = new Map<Step, Error>();
  const findRefusal = (step: Step) => refusals.get(step) ?? null;
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      logins += 1;
      if (refusesLogins) done(Object.assign(new Error('wrong user name or password'), { responseCode: 535 }));
      else done(null, { user: `${username}:${password}` });
    },
    onMailFrom: (_address, _session, done) => done(findRefusal('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(findRefusal('RCPT TO')),
    onData(stream, { envelope, user }, done) {
      buffer(stream).then((source) => {
        const refusal = findRefusal('DATA');
        if (refusal) return done(refusal);
        const { mailFrom, rcptTo } = envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: source.toString(),
          credentials: typeof user === 'string' ? user : null,
        });
        return done(null);
      }, done);
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    mails,
    countLogins: () => logins,
    refuseAt(step, responseCode, text = `${step} refused`) {
      refusals.set(step, Object.assign(new Error(text), { responseCode }));
    },
    refuseLogins() {
      refusesLogins = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

import nodemailer from 'nodemailer';
import { composeMail, type Mailer, onMailServer } from './mailer.ts';

/** Somebody is waiting for the mail, so a server that does not answer is given up soon. */
const TIMEOUT_MS = 10_000;
const CONNECTIONS = 3;
/** So many different recipients refused with no mail taken between them are no coincidence. */
const REFUSED_RECIPIENTS = 3;

/**
 * Sends mails through an SMTP server: `smtp://` or `smtps://`, with user and password in the URL. `tls` says whether
 * `smtp://` becomes TLS by STARTTLS. Where it is required, nothing is sent to a server that does not offer it, no user
 * and no password either.
 */
export function createSmtpMailer(options: {
  url: string;
  tls: 'required' | 'if offered' | 'off';
  from: string;
}): Omit<Mailer, 'removeOld'> {
  const address = new URL(options.url);
  const isSecure = address.protocol === 'smtps:';
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    host: address.hostname,
    port: Number(address.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: options.tls === 'required',
    ignoreTLS: options.tls === 'off',
    ...(address.username
      ? { auth: { user: decodeURIComponent(address.username), pass: decodeURIComponent(address.password) } }
      : {}),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  const refusedSinceTaken = new Set<string>();
  /**
   * Servers say in words of their own that they do not relay for us («550 relay not permitted», «550 Invalid
   * recipient»), so refusals for good count together, whatever they say.
   */
  const isAboutThisMail = (to: string) => (error: SmtpError) => {
    const { command, responseCode = 0 } = error;
    if (command !== 'RCPT TO' || responseCode < 500) return isAboutMail(error);
    refusedSinceTaken.add(to);
    return isAboutMail(error) && refusedSinceTaken.size < REFUSED_RECIPIENTS;
  };
  return {
    name: 'smtp',
    async send(mail) {
      await onMailServer(() => transport.sendMail(composeMail(options.from, mail)), isAboutThisMail(mail.to));
      refusedSinceTaken.clear();
    },
    async check() {
      await onMailServer(() => transport.verify());
    },
    async close() {
      transport.close();
    },
  };
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/**
 * Whether the server has refused the recipient, or the text for good. A refusal of the sender, of any text for now, or
 * of mails without a sign-in meets every mail.
 */
function isAboutMail(error: SmtpError): boolean {
  const { code, command, responseCode = 0 } = error;
  if (command === 'RCPT TO') return !isRefusalOfUs(error);
  // API: the library itself refuses an address.
  return command === 'API' || (code === 'EMESSAGE' && responseCode >= 500);
}

/**
 * Whether the answer to a recipient is about us: the server wants a sign-in (530), does not relay for us now (Postfix:
 * 454), or a rule of its own forbids it (5.7.x, RFC 3463). 450 and 451 with 4.7.x are no outage, because a greylist
 * answers so: it takes the same mail some minutes later, and others meanwhile. The job tries it again.
 */
function isRefusalOfUs({ response = '', responseCode = 0 }: SmtpError): boolean {
  return responseCode === 530 || responseCode === 454 || /^\d{3}[ -]5\.7\.\d/.test(response);
}

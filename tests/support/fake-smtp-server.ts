import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import readline from 'node:readline';

interface ReceivedMail {
  from: string;
  to: string[];
  /** The message as it came over the wire. */
  source: string;
  /** What the sender signed in with, `user:password`. */
  credentials: string | null;
}

export interface FakeSmtpServer {
  port: number;
  mails: ReceivedMail[];
  /** Refuses every recipient from now on. */
  refuseRecipients(): void;
  close(): Promise<void>;
}

/** A mail server that keeps what it is sent, in the words of RFC 5321. */
export async function startFakeSmtpServer(): Promise<FakeSmtpServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let refusesRecipients = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    void converse(socket, mails, () => refusesRecipients);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    mails,
    refuseRecipients() {
      refusesRecipients = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function converse(socket: Socket, mails: ReceivedMail[], refusesRecipients: () => boolean): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let mail = { from: '', to: [] as string[], lines: [] as string[] };
  let credentials: string | null = null;
  let isData = false;
  say('220 fake.example ESMTP');
  for await (const line of readline.createInterface({ input: socket })) {
    if (isData) {
      if (line !== '.') {
        mail.lines.push(line.replace(/^\.\./, '.'));
        continue;
      }
      isData = false;
      mails.push({ from: mail.from, to: mail.to, source: mail.lines.join('\r\n'), credentials });
      mail = { from: '', to: [], lines: [] };
      say('250 OK');
    } else if (/^EHLO/i.test(line)) {
      say('250-fake.example');
      say('250 AUTH PLAIN');
    } else if (/^AUTH PLAIN /i.test(line)) {
      credentials = Buffer.from(line.slice(11), 'base64').toString().split('\0').slice(1).join(':');
      say('235 OK');
    } else if (/^MAIL FROM:/i.test(line)) {
      mail.from = /<(.*?)>/.exec(line)?.[1] ?? '';
      say('250 OK');
    } else if (/^RCPT TO:/i.test(line)) {
      const recipient = /<(.*?)>/.exec(line)?.[1] ?? '';
      if (refusesRecipients()) {
        say(`550 no such user <${recipient}>`);
      } else {
        mail.to.push(recipient);
        say('250 OK');
      }
    } else if (/^DATA/i.test(line)) {
      isData = true;
      say('354 go on');
    } else if (/^QUIT/i.test(line)) {
      say('221 bye');
      socket.end();
    } else {
      say('250 OK');
    }
  }
}

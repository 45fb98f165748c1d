import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { MailUnavailableError } from '#api/adapters/mail/mailer.ts';
import type { AppContext } from '#api/services/app-context.ts';

export interface OutboxMail {
  /** The file name, which begins with the time. */
  name: string;
  to: string;
  from: string;
  subject: string;
  /** ISO 8601, or empty. */
  date: string;
  text: string;
  html: string;
}

/** Names of the files, newest first. Throws MailUnavailableError. */
export async function listOutbox(app: Pick<AppContext, 'config'>): Promise<string[]> {
  const names = await readdir(outboxFolder(app)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new MailUnavailableError(error);
  });
  return names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse();
}

/** Null for a name that is not in the outbox, even if such a file exists elsewhere. */
export async function findOutboxMail(app: Pick<AppContext, 'config'>, name: string): Promise<OutboxMail | null> {
  const names = await listOutbox(app);
  if (!names.includes(name)) return null;
  const mail = await PostalMime.parse(await readFile(path.join(outboxFolder(app), name)));
  return {
    name,
    to: (mail.to ?? []).map(({ address }) => address).join(', '),
    from: mail.from ? `${mail.from.name} <${mail.from.address}>` : '',
    subject: mail.subject ?? '',
    date: mail.date ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  };
}

function outboxFolder(app: Pick<AppContext, 'config'>): string {
  return path.join(app.config.dataDir, 'outbox');
}

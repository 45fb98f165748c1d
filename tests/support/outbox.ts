import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** Mails to one address in the folder of the embedded mailer, oldest first; none while there is no folder. */
export async function readMailsTo(folder: string, email: string): Promise<Email[]> {
  const address = email.toLowerCase();
  const names = await readdir(folder).catch(() => []);
  const contents = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  // A test file sends hundreds of mails. Only those that contain the address are parsed.
  const candidates = contents.filter((content) => content.toLowerCase().includes(address));
  const mails = await Promise.all(candidates.map((content) => PostalMime.parse(content)));
  return mails.filter((mail) => mail.to?.some((to) => to.address?.toLowerCase() === address));
}

/** The first token of a mail that looks like a code. */
export function findCode(mail: Email | undefined): string | undefined {
  return /\b[A-Z0-9]{6}\b/.exec(mail?.text ?? '')?.[0];
}

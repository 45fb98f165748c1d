import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import nodemailer from 'nodemailer';
import type { Mailer } from './mailer.ts';

/**
 * Writes each mail as an `.eml` file in the form in which it would be sent. Names begin with the time, so a listing is
 * in order.
 */
export function createOutboxMailer(options: { folder: string; from: string }): Mailer {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    name: 'outbox',
    async send(mail) {
      // Quoted-printable keeps Latin text readable in the raw file.
      const { message } = await composer.sendMail({
        from: options.from,
        ...mail,
        textEncoding: 'quoted-printable',
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await mkdir(options.folder, { recursive: true });
      const file = path.join(options.folder, nameMail(mail.to, new Date()));
      const unfinished = `${file}.part`;
      await writeFile(unfinished, message, { mode: 0o600 });
      await rename(unfinished, file);
    },
    async close() {
      composer.close();
    },
  };
}

/** `2026-01-31T09-15-00-123Z_anna-example.com_5f2c1a.eml` */
function nameMail(to: string, time: Date): string {
  const stamp = time.toISOString().replace(/[:.]/g, '-');
  const recipient = to
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .slice(0, 60);
  return `${stamp}_${recipient}_${randomBytes(3).toString('hex')}.eml`;
}

import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import nodemailer from 'nodemailer';
import { NOT_IN_MAIL_NAME } from '#shared/rules/outside-text.ts';
import { composeMail, type Mailer, onMailServer } from './mailer.ts';

/** Mails hold addresses and codes, so they are not kept for ever. */
const MAILS_KEPT_MS = 30 * 24 * 60 * 60_000;
const SWEEP_INTERVAL_MS = 60 * 60_000;
/** More than a mail has. An empty file needs no space, so it can be written on a full disk. */
const PROBE = Buffer.alloc(64 * 1024);
/** Only files that this mailer has named. */
const MAIL_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_.*\.eml(\.part)?$/;

/**
 * Writes each mail as an `.eml` file in the form in which it would be sent. Names begin with the time, so a listing is
 * in order. When it writes, it also removes mails that are older than 30 days, at most once an hour: the folder may be
 * one that no worker has.
 */
export function createOutboxMailer(options: { folder: string; from: string }): Mailer {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  let sweptAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'outbox',
    async send(mail) {
      const { message } = await composer.sendMail(composeMail(options.from, mail));
      await onMailServer(async () => {
        await mkdir(options.folder, { recursive: true });
        const file = path.join(options.folder, nameMail(mail.to, new Date()));
        const unfinished = `${file}.part`;
        try {
          await writeThrough(unfinished, message);
          await rename(unfinished, file);
        } catch (error) {
          await rm(unfinished, { force: true });
          throw error;
        }
      });
      if (Date.now() - sweptAt < SWEEP_INTERVAL_MS) return;
      sweptAt = Date.now();
      // This mail is written, so it was taken whatever becomes of old ones.
      await removeOldMails(options.folder).catch((cause: unknown) =>
        process.emitWarning(new Error(`old mails in ${options.folder} cannot be removed`, { cause })),
      );
    },
    removeOld: () => removeOldMails(options.folder),
    async check() {
      await onMailServer(async () => {
        await mkdir(options.folder, { recursive: true });
        const probe = path.join(options.folder, `.probe-${randomBytes(6).toString('hex')}`);
        try {
          await writeThrough(probe, PROBE);
        } finally {
          await rm(probe, { force: true });
        }
      });
    },
    async close() {
      composer.close();
    },
  };
}

/** Some file systems notice only when they sync that there is no space. */
async function writeThrough(name: string, content: Buffer | Readable): Promise<void> {
  const file = await open(name, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The time as names begin with it. It sorts as text. */
function stampTime(time: Date): string {
  return time.toISOString().replace(/[:.]/g, '-');
}

/** `2026-01-31T09-15-00-123Z_anna-example.com_5f2c1a.eml` */
function nameMail(to: string, time: Date): string {
  const recipient = to.toLowerCase().replace(NOT_IN_MAIL_NAME, '-').slice(0, 60);
  return `${stampTime(time)}_${recipient}_${randomBytes(3).toString('hex')}.eml`;
}

/** Removes mails of an outbox that are older than 30 days. The folder may be missing. */
export async function removeOldMails(folder: string): Promise<void> {
  const oldest = stampTime(new Date(Date.now() - MAILS_KEPT_MS));
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    if (MAIL_NAME.test(name) && name < oldest) await rm(path.join(folder, name), { force: true });
  }
}

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GrammyError } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import type { BotContext } from './bot-context.ts';
import { TelegramUnreachableError } from './telegram-errors.ts';

/** A connection on which nothing comes for this long is dead. */
const SILENCE_MS = 15_000;

/**
 * Writes a file that a person has sent to `target`. Returns its size in bytes and its SHA-256 in hexadecimal digits.
 * Throws photo_too_large, also for a file that Telegram does not let bots download, and TelegramUnreachableError when it
 * does not come in full.
 */
export async function downloadFile(
  { api, app }: Pick<BotContext, 'api' | 'app'>,
  fileId: string,
  target: string,
): Promise<{ path: string; size: number; sha256: string }> {
  const { file_path } = await api.getFile(fileId).catch((error: unknown) => {
    const isTooBig = error instanceof GrammyError && /file is too big/i.test(error.description);
    throw isTooBig ? new AppError('photo_too_large') : error;
  });
  if (!file_path) throw new Error('Telegram names no path of the file');
  const { apiRoot, token, filesDir } = app.config.telegram;
  const source = isLocal(file_path)
    ? createReadStream(await findLocalFile(file_path, { filesDir, token: token ?? '' }))
    : Readable.from(fetchChunks(`${apiRoot}/file/bot${token}/${file_path}`));
  const { stream, measure } = createMeter();
  await pipeline(source, stream, createWriteStream(target));
  return { path: target, ...measure() };
}

/**
 * Measures what passes, and refuses what is too large. A stream and no generator: only then does the pipeline end after
 * the file is closed, and its folder can go.
 */
function createMeter() {
  const hash = createHash('sha256');
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, passOn) {
      size += chunk.length;
      if (size > PHOTO_MAX_BYTES) return passOn(new AppError('photo_too_large'));
      hash.update(chunk);
      passOn(null, chunk);
    },
  });
  return { stream, measure: () => ({ size, sha256: hash.digest('hex') }) };
}

async function* fetchChunks(url: string): AsyncGenerator<Uint8Array> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`nothing came for ${SILENCE_MS} ms`)), SILENCE_MS);
  try {
    const answer = await fetch(url, { signal: silence.signal });
    if (answer.status === 429 || answer.status >= 500) throw new Error(`status ${answer.status}`);
    if (!answer.ok || !answer.body) throw new FileRefusedError(answer.status);
    for await (const chunk of answer.body) {
      timer.refresh();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof FileRefusedError ? error : new TelegramUnreachableError(error);
  } finally {
    clearTimeout(timer);
  }
}

class FileRefusedError extends Error {
  constructor(status: number) {
    super(`Telegram answered ${status} to a download`);
    this.name = 'FileRefusedError';
  }
}

/** A server in `--local` mode names the path on its own disk and serves no files. */
function isLocal(filePath: string): boolean {
  return path.posix.isAbsolute(filePath) || path.win32.isAbsolute(filePath);
}

/**
 * Where this process sees a file of a server in `--local` mode, which keeps a bot's files in a folder named after its
 * token; the paths before that may differ, as in containers. Throws when dots or links lead out of that folder.
 */
export async function findLocalFile(
  filePath: string,
  { filesDir, token }: { filesDir: string | null; token: string },
): Promise<string> {
  if (!filesDir) {
    throw new Error('The Bot API server runs in --local mode: set TELEGRAM_FILES_DIR to its folder of files');
  }
  const parts = filePath.split(/[\\/]/);
  // On Windows a name cannot have a colon.
  const own = parts.findIndex((part) => part === token || part === token.replace(':', '~'));
  if (own < 0) throw new Error('The Bot API server names a file that is not in the folder of this bot');
  const folder = await realpath(path.join(filesDir, parts[own] ?? ''));
  const found = await realpath(path.join(folder, ...parts.slice(own + 1)));
  if (!found.startsWith(folder + path.sep)) throw new Error('The Bot API server names a file of somebody else');
  return found;
}

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { type AbuseCase, type AbuseFixture, cookieOf, describeAnswer } from './abuse-fixture.ts';

const MB = 1024 ** 2;
const RESULT_MS = 420_000;

async function upload(fixture: AbuseFixture, cookie: string, content: Buffer): Promise<Response> {
  const body = new FormData();
  body.set('image', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'photo.png');
  return fixture.call('/api/upload', { method: 'POST', body, cookie });
}

/** Coarse coloured noise that repeats: a small PNG, and the hardest picture for JPEG. */
function drawHardPhoto(side: number): Promise<Buffer> {
  const tile = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => ((at * 7919) % 104_729) % 2) as number[]);
  const pixels = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      for (let channel = 0; channel < 3; channel++) {
        pixels[(y * side + x) * 3 + channel] = (tile[((y % 64) * 64 + (x % 64)) * 3 + channel] ?? 0) * 255;
      }
    }
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

/** The stored files of an account, with their sizes. */
async function listFiles(fixture: AbuseFixture, folder: string): Promise<string[]> {
  const root = path.join(fixture.server.dataDir, 'files', folder);
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

async function readId(fixture: AbuseFixture, cookie: string): Promise<number> {
  return ((await (await fixture.call('/api/auth/user', { cookie })).json()) as { id: number }).id;
}

/** Which share of the pixels differs. The logo changes more than three in a hundred. */
async function differ(one: Buffer, other: Buffer): Promise<number> {
  const pixels = (picture: Buffer) => sharp(picture).resize(300, 400, { fit: 'fill' }).greyscale().raw().toBuffer();
  const [a, b] = [await pixels(one), await pixels(other)];
  return a.filter((value, at) => Math.abs(value - (b[at] ?? 0)) > 12).length / a.length;
}

/** Makes a photo session on the free stars. Resolves with its first frame and the file of it. */
async function makeFreeResult(fixture: AbuseFixture, cookie: string): Promise<{ id: string; original: Buffer }> {
  const body = new FormData();
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  body.set('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
  const started = await fixture.call('/api/photosession', { method: 'POST', body, cookie });
  const { sessionId } = (await started.json()) as { sessionId: string };
  for (const deadline = Date.now() + RESULT_MS; Date.now() < deadline; await wait(500)) {
    const view = (await (await fixture.call(`/api/generations/${sessionId}`, { cookie })).json()) as {
      status: string;
      results: { id: string }[];
    };
    if (view.status === 'failed') break;
    const [first] = view.results;
    if (view.status !== 'completed' || !first) continue;
    const files = await listFiles(fixture, 'results');
    const file = files.find((one) => one.includes(`/${sessionId}/0/original`));
    return { id: first.id, original: await readFile(file ?? '') };
  }
  throw new Error('no photo session was made');
}

/** Attempts to get pictures without the logo, to fill the disk, and to keep what was deleted. */
export const PHOTO_CASES: AbuseCase[] = [
  {
    name: 'a free account that picks its result as a photo, and takes it away by every address',
    expected: 'preview, thumbnail and export have the logo; 1 file of it in the export',
    async try(fixture) {
      const cookie = await fixture.register('picker@example.com');
      const { id, original } = await makeFreeResult(fixture, cookie);
      const picked = (await (await fixture.call(`/api/gallery/${id}/pick`, { method: 'POST', cookie })).json()) as {
        id: string;
        previewUrl: string;
        thumbnailUrl: string;
      };
      const open = async (url: string) => Buffer.from(await (await fixture.call(url, { cookie })).arrayBuffer());
      const files = await readZip(await open('/api/account/export'));
      const exported = [...files].filter(([name]) => name.endsWith('.jpg'));
      const ways = { preview: [await open(picked.previewUrl)], thumbnail: [await open(picked.thumbnailUrl)] };
      const differences = await Promise.all(exported.map(([, content]) => differ(content, original)));
      // The frames of the session differ from each other, and this one by its logo alone.
      const same = differences.filter((difference) => difference < 0.35);
      const leaks: string[] = [];
      for (const [way, pictures] of Object.entries(ways)) {
        for (const picture of pictures) if ((await differ(picture, original)) < 0.03) leaks.push(way);
      }
      if (differences.some((difference) => difference < 0.03)) leaks.push('export');
      if (leaks.length > 0) return `without the logo: ${leaks.join()}`;
      const ofPick = exported.filter(([name]) => name.includes(picked.id));
      return `preview, thumbnail and export have the logo; ${ofPick.length === 0 && same.length > 0 ? 1 : ofPick.length + 1} file of it in the export`;
    },
  },
  {
    name: 'a small PNG that JPEG can hardly store',
    expected: 'at most 0.6 byte a pixel is stored',
    async try(fixture) {
      const cookie = await fixture.register('hard@example.com');
      const answer = await upload(fixture, cookie, await drawHardPhoto(3000));
      if (answer.status !== 200) return describeAnswer(answer);
      const [master = ''] = (await listFiles(fixture, `photos/${await readId(fixture, cookie)}`)).filter((file) =>
        file.endsWith('master.jpg'),
      );
      const share = (await readFile(master)).length / 3000 ** 2;
      return share <= 0.6 ? 'at most 0.6 byte a pixel is stored' : `${share.toFixed(2)} byte a pixel is stored`;
    },
  },
  {
    name: 'eight photos at once of an account with an unconfirmed e-mail',
    expected: '5 taken, 3 times 409 photo_count_reached',
    async try(fixture) {
      const person = { email: 'mute@example.com', password: 'мокрый-зонтик', consentVersion: DOCUMENTS_VERSION };
      const registered = await fixture.post('/api/register', person);
      const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
      const answers = await Promise.all(Array.from({ length: 8 }, () => upload(fixture, cookieOf(registered), photo)));
      const seen = await Promise.all(answers.map(describeAnswer));
      const refused = seen.filter((one) => one !== '200');
      return `${seen.length - refused.length} taken, ${refused.length} times ${[...new Set(refused)].join()}`;
    },
  },
  {
    name: 'hundreds of megabytes of photos of one account, several at once',
    expected: '409 photo_quota_reached, with at most 300 MB on the disk',
    async try(fixture) {
      const cookie = await fixture.register('full@example.com');
      const photo = await drawHardPhoto(4096);
      const accountId = await readId(fixture, cookie);
      for (let round = 0; round < 30; round++) {
        const answers = await Promise.all(Array.from({ length: 4 }, () => upload(fixture, cookie, photo)));
        const refused = answers.find(({ status }) => status !== 200);
        if (!refused) continue;
        const files = await listFiles(fixture, `photos/${accountId}`);
        let bytes = 0;
        for (const file of files) bytes += (await readFile(file)).length;
        const room = bytes <= 300 * MB ? 'at most 300 MB' : `${Math.round(bytes / MB)} MB`;
        return `${await describeAnswer(refused)}, with ${room} on the disk`;
      }
      return 'all are taken';
    },
  },
  {
    name: 'a photo that its owner has deleted',
    expected: '204, no file, 404 photo_not_found',
    async try(fixture) {
      const cookie = await fixture.register('gone@example.com');
      const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
      const { id } = (await (await upload(fixture, cookie, photo)).json()) as { id: string };
      const { status } = await fixture.call(`/api/photos/${id}`, { method: 'DELETE', cookie });
      const files = await listFiles(fixture, `photos/${await readId(fixture, cookie)}`);
      const preview = await describeAnswer(await fixture.call(`/media/photos/${id}/preview`, { cookie }));
      return `${status}, ${files.length === 0 ? 'no file' : `${files.length} files`}, ${preview}`;
    },
  },
];

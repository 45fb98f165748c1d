import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Smaller files gain nothing. */
const MIN_BYTES = 1024;

/** Writes a `.br` and a `.gz` beside every text of a built interface; the server sends them as they are. */
export function compressTexts(folder: string): void {
  for (const name of globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: folder })) {
    const file = path.join(folder, name);
    const content = readFileSync(file);
    if (content.length < MIN_BYTES) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

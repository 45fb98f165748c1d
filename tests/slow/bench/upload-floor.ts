/** Started by `upload.bench.ts`: hashes the body of each request and writes it to a file, with nothing around it. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const [folder = ''] = process.argv.slice(2);
let count = 0;

// Between two rounds a busy machine may take longer than Node keeps a connection.
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const file = path.join(folder, String(count++));
  const hash = createHash('sha256');
  request.on('data', (chunk) => hash.update(chunk));
  await pipeline(request, createWriteStream(file));
  hash.digest();
  await rm(file);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

/** Started by `upload.bench.ts`: writes the body of each request to a file of its own, with nothing around it. */
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
  await pipeline(request, createWriteStream(file));
  await rm(file);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

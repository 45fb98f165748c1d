import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * Gets one address again and again over one connection, as a player gets the parts of a video. Spends little on its own,
 * so that the server counts. Throws unless each answer has this status and length.
 */
export async function fetchAgain(
  url: string,
  { headers, times, status, bytes }: { headers: Record<string, string>; times: number; status: number; bytes: number },
): Promise<void> {
  const { hostname, port, pathname, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, 'connect');
  let left = times;
  let head = '';
  let missing = 0;
  socket.write(request);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (missing > 0) missing -= chunk.length;
    else {
      const end = chunk.indexOf(HEAD_END);
      head += chunk.toString('latin1', 0, end < 0 ? chunk.length : end);
      if (end < 0) continue;
      const isRight = head.startsWith(`HTTP/1.1 ${status} `) && /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (isRight !== String(bytes)) throw new Error(`not the expected answer: ${head}`);
      head = '';
      missing = bytes - (chunk.length - end - HEAD_END.length);
    }
    if (missing > 0) continue;
    left -= 1;
    if (left === 0) break;
    socket.write(request);
  }
  if (left > 0) throw new Error('the connection ended too early');
}

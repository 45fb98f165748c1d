import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a websocket that only sends. */
export interface SendingSocket {
  sendText(text: string): void;
  sendBinary(bytes: Buffer): void;
  /** Ends the connection without a closing frame, as a process that is killed does. */
  cut(): void;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;

/** Answers the upgrade of an HTTP request. What the client sends is ignored, but for its wish to close. */
export function serveWebSocket(request: IncomingMessage, stream: Duplex, onClose: () => void): SendingSocket {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  stream.on('error', () => {});
  stream.on('close', onClose);
  stream.on('data', (chunk: Buffer) => {
    if (((chunk[0] ?? 0) & 0xf) === CLOSE) stream.end(frame(CLOSE, Buffer.alloc(0)));
  });
  return {
    sendText: (text) => void stream.write(frame(TEXT, Buffer.from(text))),
    sendBinary: (bytes) => void stream.write(frame(BINARY, bytes)),
    cut: () => void stream.destroy(),
  };
}

/** One unmasked frame that holds a whole message. */
function frame(opcode: number, payload: Buffer): Buffer {
  const head = [0x80 | opcode];
  if (payload.length < 126) head.push(payload.length);
  else if (payload.length < 65_536) head.push(126, payload.length >> 8, payload.length & 0xff);
  else throw new Error('the message is too long for this fake');
  return Buffer.concat([Buffer.from(head), payload]);
}

// `npm run dev`: Vite's dev server at the public address, with the API behind it. The API restarts on every change.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createSocketServer } from 'node:net';
import path from 'node:path';
import { createServer } from 'vite';
import { readConfig } from '#api/config/config.ts';
import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** All addresses that are neither pages nor files of the interface. */
const API_PATHS = '^/(api|media|attached_assets|backgrounds|healthz|readyz|metrics|help|dev|sandbox)(/|$|\\?)';

try {
  prepare({ pwa: false });
  const config = readConfig();
  const apiPort = await findFreePort();
  const api = startApi(apiPort, config.publicUrl);
  const vite = await createServer({
    configFile: path.join(ROOT, 'vite.config.ts'),
    server: {
      host: config.host,
      port: config.port,
      strictPort: true,
      proxy: { [API_PATHS]: { target: `http://127.0.0.1:${apiPort}` } },
    },
  });
  await vite.listen();
  console.log(`Vite serves ${config.publicUrl}; the API behind it restarts on every change. Ctrl-C stops both.`);

  const stop = async () => {
    await vite.close();
    api.kill('SIGTERM');
    if (api.exitCode === null) await once(api, 'exit');
    process.exit();
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
} catch (error) {
  reportStartError(error);
}

function startApi(port: number, publicUrl: string): ChildProcess {
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', 'api/commands/start.ts', '--without-pwa'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: publicUrl },
  });
}

async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './find-free-port.ts';

/** Whether nginx can be run here. */
export const hasNginx = (() => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** How the shipped configuration asks the program, and its locations of files, for the files in `dataDir`. */
function readShipped(dataDir: string): string {
  const shipped = readFileSync('operations/nginx/podium.conf', 'utf8');
  const proxying = [...shipped.matchAll(/^ {2}proxy_[^\n]+;$/gm)];
  const files = [...shipped.matchAll(/^ {2}location \/internal-[^}]+\}$/gm)];
  return [...proxying, ...files].join('\n').replaceAll('/var/lib/podium', dataDir);
}

interface RunningNginx {
  url: string;
  /** The same files with nothing before them. Their paths are keys. */
  filesUrl: string;
  stop(): Promise<void>;
}

/** A real nginx before the program at `upstream`, with the shipped locations for the files in `dataDir`. */
export async function startNginx(upstream: string, dataDir: string): Promise<RunningNginx> {
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-nginx-'));
  const port = await findFreePort();
  const filesPort = await findFreePort();
  await mkdir(path.join(folder, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  const configuration = `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      keepalive_requests 1000000;
      ${temporary.join('\n      ')}
      upstream podium_api {
        server ${new URL(upstream).host};
        keepalive 32;
      }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://podium_api; }
        ${readShipped(dataDir)}
      }
      server {
        listen 127.0.0.1:${filesPort};
        sendfile on;
        tcp_nopush on;
        root ${dataDir}/files;
      }
    }`;
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, configuration);
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/healthz`).catch(() => null))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    await wait(20);
  }
  return {
    url,
    filesUrl: `http://127.0.0.1:${filesPort}`,
    async stop() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

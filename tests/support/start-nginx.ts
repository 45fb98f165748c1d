import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from './running-server.ts';
import { until } from './until.ts';

/** Whether nginx can be run here. */
export const hasNginx = (() => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The locations of files in the shipped configuration, for the files in `dataDir`. */
function readFileLocations(dataDir: string): string {
  const shipped = readFileSync('operations/nginx/podium.conf', 'utf8');
  return [...shipped.matchAll(/^ {2}location \/internal-[^}]+\}$/gm)].join('\n').replaceAll('/var/lib/podium', dataDir);
}

/** A real nginx before the program at `upstream`, with the shipped locations for the files in `dataDir`. */
export async function startNginx(upstream: string, dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-nginx-'));
  const port = await findFreePort();
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
      ${temporary.join('\n      ')}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass ${upstream}; }
        ${readFileLocations(dataDir)}
      }
    }`;
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, configuration);
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/healthz`));
  return {
    url,
    async stop() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

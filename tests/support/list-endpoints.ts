import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '#shared/contract/endpoint.ts';

const CONTRACT = path.resolve(import.meta.dirname, '../../shared/contract');

/** Every endpoint of the contract, sorted by path and method. */
export async function listEndpoints(): Promise<Endpoint[]> {
  const files = globSync('*.ts', { cwd: CONTRACT });
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ pathToFileURL(path.join(CONTRACT, file)).href) as Promise<object>),
  );
  const endpoints = modules.flatMap((exported) => Object.values(exported).filter(isEndpoint));
  return endpoints.sort((a, b) => nameEndpoint(a).localeCompare(nameEndpoint(b)));
}

export function nameEndpoint({ method, path: address }: Endpoint): string {
  return `${method} ${address}`;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

import { existsSync, realpathSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { APP_PATHS, APP_REDIRECTS, HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';
import { addPublicPages, DOCUMENT } from './public-pages.ts';
import { addServiceWorker, WORKER_FILE } from './service-worker.ts';

const BUILT_PWA = path.resolve(import.meta.dirname, '../../dist/pwa');
/** Addresses of machines: a page would be the wrong answer even where there is nothing. */
const MACHINE_PATHS = /^\/(api|media|assets)(\/|$|\?)/;
/** These name the files of one build and must not outlive it. */
const ALWAYS_ASKED = /\.(html|webmanifest)$|\/(service-worker|sw)\.js$/;
/** Is no page, like the addresses that it takes the place of. */
const UNDECODABLE_PATH = '/undecodable-address';
/** For whoever asks for an icon without having read a page. */
const ICON = { asked: '/favicon.ico', file: '/icons/icon-192.png' };
/** Every address that a person may type or be sent. */
const KNOWN_ADDRESSES: ReadonlySet<string> = new Set([...APP_PATHS, ...Object.keys(APP_REDIRECTS), HELP_PATH]);

interface StaticFilesOptions {
  /** Where the built interface lies. */
  folder?: string;
}

/**
 * Serves the built interface: its files, the prerendered public pages, its document for every other page of ours, and
 * the page that says so, with 404, for any other address. Without a build pages answer 503, and the API works.
 */
export async function addStaticFiles(
  server: FastifyInstance,
  app: AppContext,
  { folder = BUILT_PWA }: StaticFilesOptions = {},
): Promise<void> {
  const isBuilt = existsSync(path.join(folder, DOCUMENT));
  if (!isBuilt) app.log.warn({ folder }, 'the interface is not built; pages answer 503');
  // The build of this moment: the link to it moves on with the next one.
  const root = isBuilt ? realpathSync(folder) : null;
  if (root) {
    await serveFiles(server, root);
    addServiceWorker(server, app, root);
  }
  const publicPages = root && addPublicPages(server, app, root);

  for (const [from, to] of Object.entries(APP_REDIRECTS)) {
    server.get(from, { schema: { hide: true } }, (_request, reply) => reply.redirect(to, 301));
  }
  server.get(ICON.asked, { schema: { hide: true } }, (_request, reply) => reply.redirect(ICON.file, 301));
  // Where no script runs the browser itself sends the form; before its body is read, there is nothing to do with it.
  const backToForm = async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect(PATHS.auth, 303);
  server.post(PATHS.auth, { schema: { hide: true }, onRequest: backToForm }, backToForm);
  for (const page of APP_PATHS) {
    server.get(page, { schema: { hide: true } }, async (request, reply) => {
      if (!publicPages) return apologise(reply);
      if (!(await publicPages.send(request, reply))) await publicPages.sendDocument(request, reply);
      return reply;
    });
  }
  // The worker keeps it from there.
  if (publicPages) {
    server.get(`/${DOCUMENT}`, { schema: { hide: true } }, async (request, reply) => {
      await publicPages.sendDocument(request, reply);
      return reply;
    });
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (isForMachine(request)) throw new AppError('route_not_found');
    const meant = findMeantAddress(request.url);
    if (meant) return reply.redirect(meant, 308);
    if (!publicPages) return apologise(reply);
    await publicPages.sendNotFound(request, reply);
    return reply;
  });
}

async function serveFiles(server: FastifyInstance, root: string): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    // A route for each file of the build: what is not among them cannot be reached by any spelling.
    wildcard: false,
    index: false,
    globIgnore: ['**/*.{br,gz}', WORKER_FILE, DOCUMENT],
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      reply.header('cache-control', chooseCacheControl(`/${path.relative(root, file).replaceAll(path.sep, '/')}`));
    },
  });
}

/** By the file's path in the build; a compressed copy is kept as long as its original. */
function chooseCacheControl(file: string): string {
  const original = file.replace(/\.(br|gz)$/, '');
  if (ALWAYS_ASKED.test(original)) return 'no-cache';
  // Vite puts a hash of the content into these names.
  return original.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
}

function isForMachine({ url = '', method = '' }: Pick<IncomingMessage, 'url' | 'method'>): boolean {
  return MACHINE_PATHS.test(url) || !['GET', 'HEAD'].includes(method);
}

/** The address of ours that was meant by one with a slash at its end or with capitals, query and all; else null. */
function findMeantAddress(url: string): string | null {
  const [typed = ''] = url.split('?', 1);
  const meant = typed.replace(/\/$/, '').toLowerCase();
  return meant !== typed && KNOWN_ADDRESSES.has(meant) ? meant + url.slice(typed.length) : null;
}

/**
 * Before routing: what cannot be decoded is no address, and a browser that wants a page there gets the one that says so.
 * Machines are told that their request is wrong.
 */
export function replaceUndecodableAddress(request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): string {
  const { url = '/' } = request;
  const [typed = ''] = url.split('?', 1);
  const wantsPage = !isForMachine(request) && request.headers.accept?.includes('text/html');
  return wantsPage && !isDecodable(typed) ? UNDECODABLE_PATH : url;
}

function isDecodable(address: string): boolean {
  try {
    decodeURI(address);
    return true;
  } catch {
    return false;
  }
}

function apologise(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send('Интерфейс ещё не собран: выполните npm run build и перезапустите сервер.\n');
}

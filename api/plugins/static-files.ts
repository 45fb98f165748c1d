import { existsSync, realpathSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { APP_PATHS, APP_REDIRECTS, HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';
import { addPublicPages, DOCUMENT } from './public-pages.ts';
import { addServiceWorker, WORKER_FILE } from './service-worker.ts';

const BUILT_PWA = path.resolve(import.meta.dirname, '../../dist/pwa');
/** Paths for programs. A page would be the wrong answer there, even for an unknown address. */
const MACHINE_PATHS = /^\/(api|media|assets)(\/|$|\?)/;
/** These files name the files of one build, so browsers must always revalidate them. */
const ALWAYS_ASKED = /\.(html|webmanifest)$|\/(service-worker|sw)\.js$/;
/** Not a page. It replaces addresses that cannot be decoded. */
const UNDECODABLE_PATH = '/undecodable-address';
/** For clients that request an icon without reading a page. */
const ICON = { asked: '/favicon.ico', file: '/icons/icon-192.png' };
/** Every address that a person may type or receive. */
const KNOWN_ADDRESSES: ReadonlySet<string> = new Set([...APP_PATHS, ...Object.keys(APP_REDIRECTS), HELP_PATH]);

interface StaticFilesOptions {
  /** The folder of the built interface. */
  folder?: string;
}

/**
 * Serves the built interface: its files, the prerendered public pages, and its document for all other pages of ours.
 * Any other address gets the not-found page with 404. Without a build pages answer 503 and the API works.
 */
export async function addStaticFiles(
  server: FastifyInstance,
  app: AppContext,
  { folder = BUILT_PWA }: StaticFilesOptions = {},
): Promise<void> {
  const isBuilt = existsSync(path.join(folder, DOCUMENT));
  if (!isBuilt) app.log.warn({ folder }, 'the interface is not built; pages answer 503');
  // The real path of the current build. The link moves on with the next build.
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
  // Without scripts the browser itself sends the form. There is nothing to do with it, so its body is not read.
  const backToForm = async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect(PATHS.auth, 303);
  server.post(PATHS.auth, { schema: { hide: true }, onRequest: backToForm }, backToForm);
  for (const page of APP_PATHS) {
    server.get(page, { schema: { hide: true } }, async (request, reply) => {
      if (!publicPages) return apologise(reply);
      if (!(await publicPages.send(request, reply))) await publicPages.sendDocument(request, reply);
      return reply;
    });
  }
  // The service worker fetches the document here and keeps it.
  if (publicPages) {
    server.get(`/${DOCUMENT}`, { schema: { hide: true } }, async (request, reply) => {
      await publicPages.sendDocument(request, reply);
      return reply;
    });
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (isForMachine(request)) throw new AppError('route_not_found');
    const meant = findCanonicalAddress(request.url);
    if (meant) return reply.redirect(meant, 308);
    if (!publicPages) return apologise(reply);
    await publicPages.sendNotFound(request, reply);
    return reply;
  });
}

async function serveFiles(server: FastifyInstance, root: string): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    // One route per file of the build, so no other file can be reached by any spelling.
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

/** `file`: path in the build. A compressed copy is cached as long as its original. */
function chooseCacheControl(file: string): string {
  const original = file.replace(/\.(br|gz)$/, '');
  if (ALWAYS_ASKED.test(original)) return 'no-cache';
  // Vite puts a hash of the content into these names.
  return original.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
}

function isForMachine({ url = '', method = '' }: Pick<IncomingMessage, 'url' | 'method'>): boolean {
  return MACHINE_PATHS.test(url) || !['GET', 'HEAD'].includes(method);
}

/**
 * The address of ours that was probably meant by one with a trailing slash or capitals, including the query. Null if
 * there is none.
 */
function findCanonicalAddress(url: string): string | null {
  const [typed = ''] = url.split('?', 1);
  const meant = typed.replace(/\/$/, '').toLowerCase();
  return meant !== typed && KNOWN_ADDRESSES.has(meant) ? meant + url.slice(typed.length) : null;
}

/**
 * Runs before routing. A browser that asks for a page at an address that cannot be decoded gets the not-found page.
 * Programs get the error for a malformed request.
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

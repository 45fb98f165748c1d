import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { describeOperator } from '#api/services/core/operator.ts';
import { describeShowcase } from '#api/services/core/showcase.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { listPackagesForSale } from '#api/services/stars/packages.ts';
import type { CreatePublicPageRenderer, PublicPageData, PublicPageRenderer } from '#shared/prerendering.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { TAG_MANAGER_META } from '#shared/rules/tag-manager.ts';

export const DOCUMENT = 'index.html';
/** Inside the build's folder, next to the public files. */
const RENDERER = '.prerendering/create-page-renderer.js';
/** How long new packages and prices may take to appear on the public pages. */
const DATA_AGE_MS = 30_000;
/** Paths that search engines must not index. */
const PRIVATE_PATHS = ['/api/', '/media/', '/dashboard/', '/payment/', PATHS.app, PATHS.settings, PATHS.stars];
/** Represents every unknown address. */
const UNKNOWN_PATH = '/404';

/** A prerendered page in its final form. */
interface RenderedPage {
  etag: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

export interface PublicPages {
  /**
   * Sends a public page. Returns false when the page is not prerendered or cannot be, so that the caller sends the
   * interface's own document.
   */
  send(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Sends the document in which the browser renders a page. */
  sendDocument(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Sends the page for unknown addresses, with status 404. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/**
 * The public pages as complete documents. The build's renderer makes them from the interface, the configuration and the
 * database, on first request and again when their data has changed. Also serves the files for search engines.
 */
export function addPublicPages(server: FastifyInstance, app: AppContext, folder: string): PublicPages {
  // Loaded on first request. It would take half of the start's time, and only the first visitor waits.
  const getHtml = cacheFor(Number.POSITIVE_INFINITY, () => readDocument(app, folder));
  const getRenderer = cacheFor(Number.POSITIVE_INFINITY, async () => loadRenderer(folder, await getHtml()));
  const readData = cacheFor(DATA_AGE_MS, () => collectData(app));
  const pages = new Map<string, { data: PublicPageData; page: Promise<RenderedPage> }>();

  const getDocument = cacheFor(Number.POSITIVE_INFINITY, async () => pack(await getHtml()));
  const getPage = async (pagePath: string): Promise<RenderedPage> => {
    const data = await readData();
    const known = pages.get(pagePath);
    if (known && JSON.stringify(known.data) === JSON.stringify(data)) return known.page;
    const page = getRenderer()
      .then((renderer) => renderer.render(pagePath, data))
      .then(pack);
    pages.set(pagePath, { data, page });
    page.catch(() => pages.delete(pagePath));
    return page;
  };
  /** If this fails, for example without the database, the browser renders the page itself. */
  const findPage = async (pagePath: string): Promise<RenderedPage | null> => {
    try {
      const isPublic = pagePath === UNKNOWN_PATH || (await getRenderer()).paths.includes(pagePath);
      return isPublic ? await getPage(pagePath) : null;
    } catch (error) {
      app.log.error({ err: error, path: pagePath }, 'a public page could not be prerendered');
      return null;
    }
  };

  const robots = `User-agent: *\n${PRIVATE_PATHS.map((start) => `Disallow: ${start}\n`).join('')}\nSitemap: ${app.config.publicUrl}/sitemap.xml\n`;
  server.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .send(writeSitemap((await getRenderer()).paths.map((page) => app.config.publicUrl + page))),
  );
  server.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots),
  );

  return {
    async send(request, reply) {
      const [pagePath = '/', query] = request.url.split('?', 2);
      // The query decides which of its two forms this page shows.
      const isDecidedLater = pagePath === PATHS.auth && query !== undefined;
      const page = isDecidedLater ? null : await findPage(pagePath);
      if (page) sendPage(request, reply, page);
      return page !== null;
    },
    async sendDocument(request, reply) {
      sendPage(request, reply, await getDocument());
    },
    async sendNotFound(request, reply) {
      const page = (await findPage(UNKNOWN_PATH)) ?? (await getDocument());
      sendPacked(request, reply.code(404), page);
    },
  };
}

function writeSitemap(addresses: string[]): string {
  const entries = addresses.map((address) => `<url><loc>${address}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
}

/** The document of the build, with the operator's tag manager added. Pages read it from there without a request. */
async function readDocument({ config }: AppContext, folder: string): Promise<string> {
  const built = await readFile(path.join(folder, DOCUMENT), 'utf8');
  if (!config.tagManagerId) return built;
  return built.replace('</head>', `  <meta name="${TAG_MANAGER_META}" content="${config.tagManagerId}">\n  </head>`);
}

async function loadRenderer(folder: string, document: string): Promise<PublicPageRenderer> {
  const { createPublicPageRenderer } = (await import(pathToFileURL(path.join(folder, RENDERER)).href)) as {
    createPublicPageRenderer: CreatePublicPageRenderer;
  };
  return createPublicPageRenderer(document);
}

async function collectData(app: AppContext): Promise<PublicPageData> {
  return {
    origin: app.config.publicUrl,
    operator: describeOperator(app),
    packages: await listPackagesForSale(app),
    showcase: describeShowcase(app),
    tools: describeTools(app),
  };
}

/** Calls `ask` again only when the last answer is older than `ageMs`. Failures are not cached. */
function cacheFor<Value>(ageMs: number, ask: () => Promise<Value>): () => Promise<Value> {
  let askedAt = 0;
  let answer: Promise<Value> | null = null;
  return () => {
    if (answer && performance.now() - askedAt < ageMs) return answer;
    askedAt = performance.now();
    const current = ask();
    answer = current;
    current.catch(() => {
      if (answer === current) answer = null;
    });
    return current;
  };
}

async function pack(html: string): Promise<RenderedPage> {
  const plain = Buffer.from(html);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  return { etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`, plain, br, gzip: gz };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: RenderedPage): void {
  reply.header('etag', page.etag);
  const isKnown = request.headers['if-none-match']?.includes(page.etag);
  if (isKnown) reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }).code(304).send();
  else sendPacked(request, reply, page);
}

function sendPacked(request: FastifyRequest, reply: FastifyReply, page: RenderedPage): void {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b(?!;q=0)`).test(accepted));
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }).type('text/html; charset=utf-8');
  if (encoding) reply.header('content-encoding', encoding).send(page[encoding]);
  else reply.send(page.plain);
}

import { text } from 'node:stream/consumers';
import { QueryClient } from '@tanstack/react-query';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from '#pwa/app/app.tsx';
import { Pages } from '#pwa/app/pages.tsx';
import { PRERENDERED_DATA_ID, type PrerenderedData } from '#pwa/app/prerendered-data.ts';
import { createRouteObjects, loadPage } from '#pwa/app/route-objects.tsx';
import { ROUTES } from '#pwa/app/routes.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { CreatePublicPageRenderer, PublicPageData } from '#shared/prerendering.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { PAGE_DESCRIPTIONS } from './page-descriptions.ts';
import { describePage, writeHead } from './page-head.ts';

const PUBLIC_ROUTES = ROUTES.filter(({ path }) => PAGE_DESCRIPTIONS[path]);

/** Renders public pages into copies of the built document, ready to be hydrated. */
export const createPublicPageRenderer: CreatePublicPageRenderer = (builtDocument) => {
  const document = startAfterFirstPaint(builtDocument);
  const routes = createRouteObjects();
  return {
    paths: PUBLIC_ROUTES.map(({ path }) => path),
    async render(path, data) {
      const answers = chooseData(path, data);
      await loadPage(routes, path);
      const queryClient = new QueryClient();
      for (const [key, answer] of answers) queryClient.setQueryData(key, answer);
      const { prelude } = await prerenderToNodeStream(
        <App queryClient={queryClient}>
          <StaticRouter location={path}>
            <Pages routes={routes} />
          </StaticRouter>
        </App>,
        // In one chunk, because inline scripts would join several chunks, and the security policy forbids those.
        { progressiveChunkSize: Number.POSITIVE_INFINITY },
      );
      const html = await text(prelude);
      const route = PUBLIC_ROUTES.find((candidate) => candidate.path === path);
      return fillDocument(document, {
        head: writeHead(describePage(route, data)),
        root: keepToPolicy(html),
        data: `<script type="application/json" id="${PRERENDERED_DATA_ID}">${JSON.stringify(answers).replaceAll('<', '\\u003c')}</script>`,
      });
    },
  };
};

/**
 * Removes the script tag of the interface and passes its address to before-start.js, which loads it after the first
 * paint.
 */
function startAfterFirstPaint(document: string): string {
  const [tag = '', code = ''] = /<script type="module"[^>]* src="([^"]+)"><\/script>\s*/.exec(document) ?? [];
  return document.replace(tag, '').replace('src="/before-start.js"', `src="/before-start.js" data-start="${code}"`);
}

/**
 * Removes style attributes, which the security policy forbids in documents (scripts may still set styles), so the first
 * look of public pages must come from style sheets. Also removes the preload hints that React puts before the page.
 */
function keepToPolicy(html: string): string {
  return html.replace(/^(<link rel="preload"[^>]*>)+/, '').replace(/(<[^>]*?) style="[^"]*"/g, '$1');
}

/** The answers that the page's queries need. */
function chooseData(path: string, { operator, packages, showcase, tools }: PublicPageData): PrerenderedData {
  const answers: PrerenderedData = [
    [QUERY_KEYS.operator, operator],
    [QUERY_KEYS.tools, tools],
  ];
  if (path === PATHS.landing) answers.push([QUERY_KEYS.starPackages, packages], [QUERY_KEYS.showcase, showcase]);
  return answers;
}

function fillDocument(document: string, parts: { head: string; root: string; data: string }): string {
  // Replacer functions, because «$» has a meaning in a replacement text.
  return document
    .replace(/<!--page-head-->.*<!--\/page-head-->/s, () => parts.head)
    .replace('<div id="root"></div>', () => `<div id="root">${parts.root}</div>`)
    .replace(/<!--page-data-->.*<!--\/page-data-->/s, () => parts.data);
}

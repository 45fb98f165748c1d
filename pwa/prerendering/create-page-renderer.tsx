import { text } from 'node:stream/consumers';
import { QueryClient } from '@tanstack/react-query';
import { prerenderToNodeStream } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { App } from '#pwa/app/app.tsx';
import { PRERENDERED_DATA_ID, type PrerenderedData } from '#pwa/app/prerendered-data.ts';
import { createRouteObjects } from '#pwa/app/route-objects.tsx';
import { ROUTES } from '#pwa/app/routes.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import type { CreatePublicPageRenderer, PublicPageData } from '#shared/prerendering.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { PAGE_DESCRIPTIONS } from './page-descriptions.ts';
import { describePage, writeHead } from './page-head.ts';

const PUBLIC_ROUTES = ROUTES.filter(({ path }) => PAGE_DESCRIPTIONS[path]);

/** Turns public pages into documents: the built one, filled with the page, ready to be hydrated. */
export const createPublicPageRenderer: CreatePublicPageRenderer = (builtDocument) => {
  const document = startAfterFirstPaint(builtDocument);
  const handler = createStaticHandler(createRouteObjects());
  return {
    paths: PUBLIC_ROUTES.map(({ path }) => path),
    async render(path, data) {
      const answers = chooseData(path, data);
      const context = await handler.query(new Request(new URL(path, data.origin)));
      if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
      const queryClient = new QueryClient();
      for (const [key, answer] of answers) queryClient.setQueryData(key, answer);
      const { prelude } = await prerenderToNodeStream(
        <App queryClient={queryClient}>
          <StaticRouterProvider
            router={createStaticRouter(handler.dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </App>,
        // In one piece: pieces would be put together by scripts inside the page, which the security policy forbids.
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

/** Leaves the start of the interface's code to before-start.js. */
function startAfterFirstPaint(document: string): string {
  const [tag = '', code = ''] = /<script type="module"[^>]* src="([^"]+)"><\/script>\s*/.exec(document) ?? [];
  return document.replace(tag, '').replace('src="/before-start.js"', `src="/before-start.js" data-start="${code}"`);
}

/**
 * Without style attributes, which the security policy forbids in documents (what scripts set is another matter): the
 * style sheets must give public pages their first look. Nor with the hints for pictures that React puts before them.
 */
function keepToPolicy(html: string): string {
  return html.replace(/^(<link rel="preload"[^>]*>)+/, '').replace(/(<[^>]*?) style="[^"]*"/g, '$1');
}

/** What the page's queries will ask for. */
function chooseData(path: string, { operator, packages, showcase, tools }: PublicPageData): PrerenderedData {
  const answers: PrerenderedData = [
    [QUERY_KEYS.operator, operator],
    [QUERY_KEYS.tools, tools],
  ];
  if (path === PATHS.landing) answers.push([QUERY_KEYS.starPackages, packages], [QUERY_KEYS.showcase, showcase]);
  return answers;
}

function fillDocument(document: string, parts: { head: string; root: string; data: string }): string {
  // By functions: a replacing text would give «$» a meaning.
  return document
    .replace(/<!--page-head-->.*<!--\/page-head-->/s, () => parts.head)
    .replace('<div id="root"></div>', () => `<div id="root">${parts.root}</div>`)
    .replace(/<!--page-data-->.*<!--\/page-data-->/s, () => parts.data);
}

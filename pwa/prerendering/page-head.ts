import { NOT_FOUND_TITLE, type PageRoute } from '#pwa/app/routes.ts';
import { chooseTitle, formatPageTitle } from '#pwa/device/page-title.ts';
import type { PublicPageData } from '#shared/prerendering.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { PAGE_DESCRIPTIONS } from './page-descriptions.ts';
import { describeOrganization, describeProduct, describeQuestions } from './structured-data.ts';

const PREVIEW_PICTURE = '/preview.jpg';

interface PageHead {
  title: string;
  /** Null for the page of unknown addresses, which search engines must not list. */
  listing: { description: string; url: string; picture: string } | null;
  structuredData: object[];
}

/** Describes a page for browsers, search engines and link previews. `route` is undefined for unknown addresses. */
export function describePage(route: PageRoute | undefined, data: PublicPageData): PageHead {
  const texts = route && PAGE_DESCRIPTIONS[route.path];
  if (!texts) {
    return { title: formatPageTitle(NOT_FOUND_TITLE), listing: null, structuredData: [] };
  }
  const { change } = data.tools;
  const description = typeof texts === 'string' ? texts : texts[change];
  return {
    title: formatPageTitle(chooseTitle(route.title, change)),
    listing: {
      description,
      url: data.origin + route.path,
      picture: data.origin + PREVIEW_PICTURE,
    },
    structuredData: [
      describeOrganization(data),
      ...(route.path === PATHS.landing ? [describeProduct(data), describeQuestions(data)] : []),
    ],
  };
}

/** Writes the tags of the head as HTML. */
export function writeHead({ title, listing, structuredData }: PageHead): string {
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...(listing
      ? [
          meta('name', 'description', listing.description),
          `<link rel="canonical" href="${escapeHtml(listing.url)}">`,
          meta('property', 'og:type', 'website'),
          meta('property', 'og:site_name', 'Подиум'),
          meta('property', 'og:locale', 'ru_RU'),
          meta('property', 'og:title', title),
          meta('property', 'og:description', listing.description),
          meta('property', 'og:url', listing.url),
          meta('property', 'og:image', listing.picture),
          meta('property', 'og:image:width', '1200'),
          meta('property', 'og:image:height', '630'),
          meta('name', 'twitter:card', 'summary_large_image'),
        ]
      : [meta('name', 'robots', 'noindex')]),
    // JSON-LD is data: browsers do not run it, and the security policy allows it.
    ...structuredData.map(
      (item) => `<script type="application/ld+json">${JSON.stringify(item).replaceAll('<', '\\u003c')}</script>`,
    ),
  ].join('\n    ');
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPublicPageRenderer } from '#pwa/prerendering/create-page-renderer.tsx';
import type { PublicPageData } from '#shared/prerendering.ts';
import { GENERATIVE_TOOLS, LOCAL_TOOLS } from '#tests/pwa/support/samples.ts';

const DATA: PublicPageData = {
  origin: 'https://podium.test',
  operator: {
    name: 'ИП «Петров & $1» </script>',
    ogrnip: '304500116000157',
    inn: '500100732259',
    email: 'help@podium.test',
    messengerUrl: 'https://t.me/podium_help',
    isSample: false,
    areDocumentsReviewed: true,
    sendsPhotosAbroad: false,
  },
  packages: [{ id: 1, name: 'Показ $& <b>', stars: 50, priceRub: 1990 }],
  showcase: {
    models: [],
    counts: { women: 15, men: 9, backgrounds: 16 },
    areExamplesShown: true,
  },
  tools: LOCAL_TOOLS,
};
const DESCRIPTION_MAX_CHARS = 170;
const START = '/assets/index-Ab12cd34.js';

const thing = z.looseObject({ '@context': z.literal('https://schema.org'), '@type': z.string() });
const organization = thing.extend({ name: z.string(), url: z.url(), logo: z.url() });
const product = thing.extend({
  image: z.url(),
  offers: z.array(z.looseObject({ price: z.number(), priceCurrency: z.literal('RUB'), availability: z.url() })).min(1),
});
const questions = thing.extend({
  mainEntity: z
    .array(z.object({ '@type': z.string(), name: z.string(), acceptedAnswer: z.looseObject({ text: z.string() }) }))
    .min(1),
});

/** As Vite writes it. */
const builtDocument = readFileSync('pwa/index.html', 'utf8').replace(
  '<script type="module" src="./main.tsx"></script>',
  `<script type="module" crossorigin src="${START}"></script>`,
);
const renderer = createPublicPageRenderer(builtDocument);

const readTag = (html: string, pattern: RegExp) => pattern.exec(html)?.[1];
const readStructuredData = (html: string): z.infer<typeof thing>[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    thing.parse(JSON.parse(json)),
  );

describe.each(renderer.paths)('the document of %s', async (path) => {
  const html = await renderer.render(path, DATA);
  const [head = '', body = ''] = html.split('</head>');

  test('has a title, a description, its address and a picture for link previews', () => {
    const title = readTag(head, /<title>(.*?)<\/title>/);
    expect(title).toMatch(/ — Подиум$/);
    const description = readTag(head, /<meta name="description" content="(.*?)">/) ?? '';
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThanOrEqual(DESCRIPTION_MAX_CHARS);
    const address = `https://podium.test${path}`;
    expect(readTag(head, /<link rel="canonical" href="(.*?)">/)).toBe(address);
    const openGraph = Object.fromEntries(
      [...head.matchAll(/<meta property="og:(.*?)" content="(.*?)">/g)].map(([, name, value]) => [name, value]),
    );
    expect(openGraph).toMatchObject({ title, description, url: address, image: 'https://podium.test/preview.jpg' });
    expect(head).not.toContain('noindex');
  });

  test('says who runs the service in a form that machines read', () => {
    const [first] = readStructuredData(html);
    expect(organization.parse(first)).toMatchObject({ '@type': 'Organization', legalName: DATA.operator.name });
  });

  test('can be read as it is: one heading, header and footer', () => {
    expect(body.match(/<h1/g)).toHaveLength(1);
    expect(body).toContain('<header');
    expect(body).toContain('© ');
    expect(body).toContain('<footer');
  });

  test('keeps to the security policy: no inline styles and no inline code', () => {
    expect(html).not.toMatch(/<[^>]* style="/);
    expect(html).not.toContain('<style');
    const inline = [...html.matchAll(/<script(?![^>]* src=)([^>]*)>/g)].map(([, attributes]) => attributes?.trim());
    for (const attributes of inline) expect(attributes).toMatch(/^type="application\/(ld\+)?json"/);
  });

  test('leaves its code to after the first paint', () => {
    expect(html).not.toContain('type="module"');
    expect(head).toContain(`src="/before-start.js" data-start="${START}"`);
  });
});

describe('the landing', async () => {
  const html = await renderer.render('/', DATA);

  test('offers the packages that are for sale, in words and for machines', () => {
    const data = readStructuredData(html);
    expect(data.map((item) => item['@type'])).toEqual(['Organization', 'Product', 'FAQPage']);
    expect(product.parse(data[1]).offers).toEqual([expect.objectContaining({ price: 1990 })]);
    expect(html).toContain('1\u00a0990\u00a0₽');
  });

  test('leads from a package to registering, and from there to the packages', () => {
    expect(html).toContain('href="/auth?tab=register&amp;next=%2Fapp%3FopenBuyStars%3Dtrue"');
  });

  test('promises other poses only where the engine makes them, as the page of registration does', async () => {
    expect(html).not.toMatch(/(?<!\p{L})поз[аыуе]?(?!\p{L})/iu);
    expect(html).toContain('Фотосессия, 5\u00a0кадров');
    expect(await renderer.render('/auth', DATA)).toContain('и\u00a05\u00a0кадров по\u00a0одному фото');
    const able = { ...DATA, tools: { ...DATA.tools, frames: 'poses' as const } };
    const generative = await renderer.render('/', able);
    for (const promise of ['Фотосессия, 5\u00a0поз', 'Пять разных поз и\u00a0планов', 'Поза\u00a05<']) {
      expect(generative).toContain(promise);
    }
    expect(await renderer.render('/auth', able)).toContain('и\u00a05\u00a0поз по\u00a0одному фото');
  });

  test('promises a new model only where the engine puts another person in', async () => {
    expect(html.replaceAll('\u00a0', ' ')).toContain('Новый фон, та же вещь');
    expect(html).toContain('15\u00a0фонов на\u00a0выбор');
    expect(html.replaceAll('на\u00a0модели', '')).not.toMatch(/модел/i);
    const generative = await renderer.render('/', {
      ...DATA,
      tools: GENERATIVE_TOOLS,
    });
    expect(generative.replaceAll('\u00a0', ' ')).toContain('Новая модель, новый фон, та же вещь');
    expect(generative).toContain('<h2 class="display text-d2">24');
  });

  test('answers for machines what it answers for people', () => {
    const { mainEntity } = questions.parse(readStructuredData(html)[2]);
    for (const { name } of mainEntity) expect(html).toContain(name);
  });

  test('data are inserted as text, whatever they look like', () => {
    expect(html).toContain('Показ $&amp; &lt;b&gt;');
    const answers = readTag(html, /<script type="application\/json" id="page-data">(.*?)<\/script>/s) ?? '';
    expect(JSON.parse(answers)).toContainEqual([['operator'], DATA.operator]);
    expect(JSON.parse(answers)).toContainEqual([['star-packages'], DATA.packages]);
  });
});

test('a sample operator is shown to people but not to search engines', async () => {
  const html = await renderer.render('/contacts', { ...DATA, operator: { ...DATA.operator, isSample: true } });
  expect(readStructuredData(html)[0]).not.toHaveProperty('legalName');
  expect(html).toContain('help@podium.test');
});

test('an unknown address has a page that says so and is not listed by search engines', async () => {
  const html = await renderer.render('/404', DATA);
  expect(html).toContain('404 Page Not Found');
  expect(html).toContain('Did you forget to add the page to the router?');
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).not.toContain('canonical');
  expect(readStructuredData(html)).toEqual([]);
});

test('no page that is a person’s own is among them', () => {
  for (const path of renderer.paths) expect(path).not.toMatch(/^\/(app|dashboard|settings|stars|payment\/|verify)/);
  expect(renderer.paths).toContain('/auth');
});

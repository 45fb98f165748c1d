// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { WEB_MANIFEST } from '#pwa/web-manifest.ts';
import { listResults } from '#shared/contract/gallery.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { closeScreen, openScreen, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { ALL_TOOLS, sampleImage, sampleResults } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

afterEach(closeScreen);

const PAGES: readonly string[] = GENERATION_KINDS.map((kind) => TOOLS[kind].page);
const readLinks = (place: string) =>
  [...document.querySelectorAll(`${place} a`)].map((link) => link.getAttribute('href') ?? '');

test('the tools have one order in every list of them', async () => {
  await openScreen('/app', { prepare: (server) => server.answer(getToolAbilities, ALL_TOOLS) });
  await untilShown('Виртуальная примерка', 'main');
  await untilShown('Здесь появятся ваши видео', 'main');
  // Where there are no results yet, a second link leads to the videos.
  const lists = {
    sidebar: readLinks('nav[aria-label=Инструменты]'),
    'tab bar': readLinks('nav[aria-label=Разделы]'),
    cards: [...new Set(readLinks('main'))],
    'shortcuts of the installed app': WEB_MANIFEST.shortcuts?.map(({ url }) => url.replace(/\?.*/, '')) ?? [],
  };
  for (const [name, links] of Object.entries(lists)) {
    const tools = links.filter((link) => PAGES.includes(link));
    expect(tools, name).toEqual(PAGES.filter((page) => tools.includes(page)));
    expect(tools.length, name).toBeGreaterThan(2);
  }
});

test('recent results stand above the tools once there are some, and below them before', async () => {
  const { server, reload } = await openScreen('/app');
  const isAbove = () => {
    const heading = [...document.querySelectorAll('main h2')].map(({ textContent }) => textContent);
    return heading.indexOf('Недавние результаты') < heading.indexOf('Создать видео');
  };
  await untilShown('Здесь появятся ваши видео', 'main');
  expect(isAbove()).toBe(false);
  server.answer(listResults, sampleResults([sampleImage()]));
  await reload();
  await untilShown('Недавние результаты', 'main');
  await until(() => expect(isAbove()).toBe(true));
});

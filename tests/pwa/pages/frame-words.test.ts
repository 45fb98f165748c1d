import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { FeatureCards, SessionPromise } from '#pwa/features/photosessions/photosession-setup.tsx';
import { toolsQuery } from '#pwa/features/tools/tools.ts';
import { ToolCards } from '#pwa/pages/app-page/tool-cards.tsx';
import { countFrames, countFramesMade, type FrameSort, nameFrame } from '#shared/rules/tool-abilities.ts';
import { LOCAL_TOOLS } from '#tests/pwa/support/samples.ts';

/** The words of a part of a page where the frames of a photo session differ in this. */
function read(part: ComponentType, frames: FrameSort): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(toolsQuery.queryKey, { ...LOCAL_TOOLS, frames });
  const inside = createElement(MemoryRouter, null, createElement(part));
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, inside))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('\u00a0', ' ');
}

test('a photo session promises other poses and artificial intelligence only where the engine has them', () => {
  for (const part of [FeatureCards, SessionPromise, ToolCards]) {
    expect(read(part, 'views')).not.toMatch(/5 (разных )?поз|разных позах|ИИ/);
  }
  expect(read(FeatureCards, 'views')).toContain('5 разных кадров');
  expect(read(ToolCards, 'views')).toContain('5 кадров вещи');
  expect(read(SessionPromise, 'views')).toContain('пять разных кадров');
  expect(read(SessionPromise, 'poses')).toContain('пять кадров 3:4 в разных позах');
  expect(read(FeatureCards, 'poses')).toMatch(/5 разных поз.*Обработка ИИ/);
  expect(read(ToolCards, 'poses')).toContain('5 поз в одном свете');
});

test('frames are counted and named by their differences', () => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect([1, 3, 5].map((count) => plain(countFrames('poses', count)))).toEqual(['1 поза', '3 позы', '5 поз']);
  expect([1, 3, 5].map((count) => plain(countFrames('views', count)))).toEqual(['1 кадр', '3 кадра', '5 кадров']);
  expect([1, 3, 21].map((count) => plain(countFramesMade('poses', count)))).toEqual(['1 позу', '3 позы', '21 позу']);
  expect(plain(countFramesMade('views', 1))).toBe('1 кадр');
  expect([nameFrame('poses', 0), nameFrame('views', 4)].map(plain)).toEqual(['Поза 1', 'Кадр 5']);
});

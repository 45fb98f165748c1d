import { expect, test } from 'vitest';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { takeFromLists } from '#pwa/features/gallery/use-deletion.ts';

const TOLD_AT = 1_700_000_000_000;
const items = (...ids: string[]) => ids.map((id) => ({ id }));

test('a deleted video leaves every loaded list of videos, whose age stays, and is put back in its place', () => {
  const queryClient = createQueryClient();
  const rest = { pageParams: [null, 'next'] };
  const lists: Record<string, unknown> = {
    whole: items('a', 'b', 'c'),
    pages: { ...rest, pages: [{ videos: items('a'), nextCursor: 'next' }, { videos: items('b', 'c') }] },
  };
  for (const [name, list] of Object.entries(lists)) {
    queryClient.setQueryData(['videos', name], list, { updatedAt: TOLD_AT });
  }
  const read = () =>
    Object.fromEntries(queryClient.getQueriesData({ queryKey: ['videos'] }).map(([[, name], list]) => [name, list]));

  const putBack = takeFromLists(queryClient, ['videos'], 'b');
  expect(read()).toEqual({
    whole: items('a', 'c'),
    pages: { ...rest, pages: [{ videos: items('a'), nextCursor: 'next' }, { videos: items('c') }] },
  });
  expect(queryClient.getQueryState(['videos', 'whole'])?.dataUpdatedAt).toBe(TOLD_AT);
  putBack();
  expect(read()).toEqual(lists);
});

test('a deleted image leaves the stored pages of images, and a list that is not loaded stays so', () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['gallery', 'newest'], { pages: [{ images: items('a', 'b') }], pageParams: [null] });
  queryClient.getQueryCache().build(queryClient, { queryKey: ['gallery', 'oldest'] });
  takeFromLists(queryClient, ['gallery'], 'a');
  expect(queryClient.getQueryData(['gallery', 'newest'])).toEqual({
    pages: [{ images: items('b') }],
    pageParams: [null],
  });
  expect(queryClient.getQueryData(['gallery', 'oldest'])).toBeUndefined();
});

test('a deleted result leaves the pages of images and videos together', () => {
  const queryClient = createQueryClient();
  const [image, video] = [
    { kind: 'image', image: { id: 'a' } },
    { kind: 'video', video: { id: 'b' } },
  ];
  queryClient.setQueryData(['results', 'newest'], { pages: [{ items: [image, video] }], pageParams: [null] });
  takeFromLists(queryClient, ['results'], 'b');
  expect(queryClient.getQueryData(['results', 'newest'])).toEqual({ pages: [{ items: [image] }], pageParams: [null] });
});

test('putting back into a list that has changed in the meantime keeps the change and asks for the list again', () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['videos', 'whole'], items('a', 'b'));
  const putBack = takeFromLists(queryClient, ['videos'], 'a');
  queryClient.setQueryData(['videos', 'whole'], items('b', 'c'));
  putBack();
  expect(queryClient.getQueryData(['videos', 'whole'])).toEqual(items('b', 'c'));
  expect(queryClient.getQueryState(['videos', 'whole'])?.isInvalidated).toBe(true);
});

import { expect, test } from 'vitest';
import type { Person } from '#tests/support/people.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
const { balanceOf, countTraces, expectRefusal, readyPerson, send } = harness;
const NOTHING = { photos: 1, generations: 0, holds: 0 };

type Start = (person: Person & { imageId: string }, headers: Record<string, string>) => ReturnType<typeof send>;

const starts: [tool: string, price: number, start: Start][] = [
  ['a video', 2, (person, headers) => harness.start(person, person.imageId, { duration: 10 }, headers)],
  [
    'a change of model',
    1,
    (person, headers) =>
      send(
        person,
        '/api/change-model',
        [
          ['imageId', person.imageId],
          ['modelImageUrl', '/attached_assets/woman/w5.webp'],
        ],
        headers,
      ),
  ],
  [
    'a photo session',
    2,
    (person, headers) => send(person, '/api/photosession', [['imageId', person.imageId]], headers),
  ],
];

test.each(starts)('%s is started for the price that was agreed to and for no other', async (_, price, start) => {
  const person = await readyPerson();
  const agree = (stars: string) => start(person, { 'idempotency-key': 'agreed-1', 'x-agreed-price': stars });
  for (const stars of [price - 1, price + 1]) {
    const { message } = await expectRefusal(agree(String(stars)), 409, 'price_changed');
    expect(message).toBe('Цена изменилась, поэтому ничего не запущено и не списано');
  }
  await expectRefusal(agree('two'), 400, 'invalid_request');
  expect(await countTraces(person)).toEqual(NOTHING);

  const started = await agree(String(price));
  expect(started.statusCode).toBe(200);
  expect(await balanceOf(person)).toBe(2 - price);
  // A repeat of an accepted start is answered, even when the price has changed since.
  const again = await agree(String(price + 1));
  expect(again.statusCode).toBe(200);
  expect(await countTraces(person)).toEqual({ ...NOTHING, generations: 1, holds: 1 });
});

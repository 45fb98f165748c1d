import { describe, expect, test } from 'vitest';
import type { EngineFailure, GenerationOrder } from '#api/adapters/generation-engines/generation-engine.ts';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import { withdrawTransferConsent } from '#api/services/accounts/consent.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import { createAccount } from '#tests/support/factories.ts';
import { STARS, useUnrulyVideos } from '#tests/support/unruly-videos.ts';

const videos = useUnrulyVideos();
const { start, follow, find, expectRefused } = videos;

test('a length or a ratio that the engine does not make is refused before anything is held', async () => {
  const video = { mover: 'person', seconds: [5], aspectRatios: ['3:4'] } as const;
  const lesser = { ...videos.engine, abilities: { ...videos.engine.abilities, video } };
  videos.useEngine(lesser);
  await expectRefused('video_length_unavailable', { settings: { duration: 10 } });
  await expectRefused('aspect_ratio_unavailable', { settings: { aspectRatio: '1:1' } });
});

describe('an order that waits while its chat is linked with an account', () => {
  const WITHOUT_CONSENT = { transferConsentVersion: null, transferConsentAt: null };

  /** Ends the order after the link. */
  async function runLinked(order: Awaited<ReturnType<typeof start>>, intoId: number) {
    const { generationId } = await order.begin();
    await videos.app.db.$transaction((tx) => mergeAccounts(videos.app, tx, { fromId: order.accountId, intoId }));
    await follow(generationId);
    return videos.app.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  }

  test('that was never asked for the consent to the transfer is handed in', async () => {
    const { id } = await createAccount(videos.app);
    await videos.app.db.account.update({ where: { id }, data: WITHOUT_CONSENT });
    expect(await runLinked(await start(), id)).toMatchObject({ accountId: id, status: 'completed' });
  });

  test('that withdrew the consent before it was given in the chat is handed in', async () => {
    const { id } = await createAccount(videos.app);
    const transferWithdrawnAt = new Date(Date.now() - 60_000);
    await videos.app.db.account.update({ where: { id }, data: { ...WITHOUT_CONSENT, transferWithdrawnAt } });
    expect(await runLinked(await start(), id)).toMatchObject({ accountId: id, status: 'completed' });
  });

  test('that has withdrawn the consent since is not handed in', async () => {
    const order = await start();
    const { id } = await createAccount(videos.app);
    await videos.app.db.account.update({
      where: { id: order.accountId },
      data: { transferConsentAt: new Date(Date.now() - 60_000) },
    });
    await withdrawTransferConsent(videos.app, id);
    expect(await runLinked(order, id)).toMatchObject({ status: 'failed', failureCode: 'consent_withdrawn' });
  });
});

test('an order that waits is not handed in once its owner has withdrawn the consent to the transfer', async () => {
  const { accountId, begin } = await start();
  const { generationId } = await begin();
  await withdrawTransferConsent(videos.app, accountId);
  await follow(generationId);
  const ended = await find(generationId);
  expect(ended).toMatchObject({ status: 'failed', failureCode: 'consent_withdrawn' });
  expect(await videos.app.db.engineRun.count({ where: { generationId } })).toBe(0);
  expect(await getBalance(videos.app, accountId)).toBe(STARS);
});

test('an engine without capacity is asked again until it has some, and no attempt is used up', async () => {
  const { begin } = await start();
  const { generationId } = await begin();
  let submits = 0;
  const failure: EngineFailure = { code: 'engine_overloaded', detail: '503', shouldRetry: true };
  const full = {
    ...videos.engine,
    submit: async (order: GenerationOrder) => {
      submits++;
      return submits <= 3 ? ({ state: 'refused', failure } as const) : videos.engine.submit(order);
    },
  };
  videos.useEngine(full);
  await follow(generationId);
  expect(submits).toBe(4);
  expect((await find(generationId)).status).toBe('completed');
  expect(await videos.app.db.engineRun.count()).toBe(1);
});

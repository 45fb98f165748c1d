import { expect, test } from 'vitest';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import type { Result } from '#prisma/generated/client.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createImageResult, createPayment, createVideoResult } from '#tests/support/factories.ts';

const harness = useBotHarness();

type Storage = Pick<ObjectStorage, 'put' | 'remove'>;
const missing = (storage: Storage, { originalKey }: Result) => storage.remove(originalKey);
const broken = (storage: Storage, { originalKey, contentType }: Result) =>
  storage.put(originalKey, Buffer.from('half'), contentType);

test.each([
  ['missing video', missing, /Видео, /, 'create-video', createVideoResult],
  ['missing photo session', missing, /Фотосессия, /, 'photoshoot', createImageResult],
  ['broken photo session', broken, /Фотосессия, /, 'photoshoot', createImageResult],
] as const)(
  'a %s is said to be lost, with the page that returns its stars, and nothing is sent',
  async (_, lose, title, page, create) => {
    const anna = await harness.newMember();
    const { app } = harness.testApp;
    const { id: accountId } = await harness.accountOf(anna);
    const result = await create(app, accountId);
    // Whoever has paid gets the original.
    await createPayment(app.db, accountId);
    await lose(app.storage, result);
    await anna.ask('/gallery', /Ваши результаты/);
    const { text } = await anna.choose(title, /Файл этого результата потерян на сервере, прислать его нельзя/);
    expect(text).toContain('Звёзды за него можно вернуть на сайте: ');
    expect(text).toContain(`/dashboard/${page}?generation=${result.generationId}`);
    await harness.settle(anna);
    await harness.finishJobs();
    expect(anna.messages().filter(({ kind }) => kind !== 'text')).toEqual([]);
    const said = anna.messages().filter(({ text: words }) => words?.includes('потерян'));
    expect(said).toHaveLength(1);
  },
);

import { expect, test } from 'vitest';
import { useBotStudio } from '#tests/support/bot-studio.ts';
import { createImageResult, createVideoResult } from '#tests/support/factories.ts';

const studio = useBotStudio();

test.each([
  ['video', /Видео, /, 'create-video', createVideoResult],
  ['photo session', /Фотосессия, /, 'photoshoot', createImageResult],
] as const)(
  'a lost %s is said to be lost, with the page that returns its stars, and nothing is sent',
  async (_, title, page, create) => {
    const anna = await studio.newMember();
    const { app } = studio.testApp;
    const { id: accountId } = await studio.accountOf(anna);
    const result = await create(app, accountId);
    // A file of somebody else is still there, so the storage is the right one.
    await createVideoResult(app, (await studio.accountOf(await studio.newMember())).id);
    await app.storage.remove(result.originalKey);
    anna.say('/gallery');
    await anna.waitFor(/Ваши результаты/);
    anna.press(title);
    const { text } = await anna.waitFor(/Файл этого результата потерян на сервере, прислать его нельзя/);
    expect(text).toContain('Звёзды за него можно вернуть на сайте: ');
    expect(text).toContain(`/dashboard/${page}?generation=${result.generationId}`);
    await studio.settle(anna);
    await studio.finishJobs();
    expect(anna.messages().filter(({ kind }) => kind !== 'text')).toEqual([]);
    const said = anna.messages().filter(({ text: words }) => words?.includes('потерян'));
    expect(said).toHaveLength(1);
  },
);

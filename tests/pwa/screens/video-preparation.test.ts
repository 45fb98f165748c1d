// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { noteDisconnected, probeConnection } from '#pwa/device/connection.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { prepareVideo, streamVideo } from '#shared/contract/videos.ts';
import { CREATE_VIDEO, openWithVideo } from '#tests/pwa/support/open-pages.ts';
import {
  closeScreen,
  failPlayback,
  letTimeBeSkipped,
  readText,
  type Screen,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { VIDEO } from '#tests/pwa/support/samples.ts';

const MAIN = 'main';
const PREPARING = 'Видео создано, готовим просмотр…';
const FILE = new Blob(['video'], { type: 'video/mp4' });

afterEach(closeScreen);

/** Opens a video of the history whose copy the server is still making. */
async function openUnprepared(): Promise<Screen> {
  letTimeBeSkipped();
  const screen = await openWithVideo(CREATE_VIDEO, (server) =>
    server.refuse(streamVideo, 'video_preparing', { retryAfter: 1 }),
  );
  await screen.press('button', /^Видео, /);
  await failPlayback();
  return screen;
}

const skip = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

test('a video whose copy is being made says so over its poster, and plays by itself once it is there', async () => {
  const { server } = await openUnprepared();
  await untilShown(PREPARING, MAIN);
  expect(document.querySelector('video')?.getAttribute('poster')).toBe(VIDEO.posterUrl);
  expect(readText(`${MAIN} [role=status]`)).toContain('Обычно это занимает до полуминуты, в очереди дольше.');
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load');
  await skip(2);
  expect(load).not.toHaveBeenCalled();
  server.sendFile(streamVideo, FILE);
  await skip(4);
  await untilGone(PREPARING, MAIN);
  expect(load).toHaveBeenCalledTimes(1);
  expect(readText(MAIN)).not.toContain('Повторить');
});

test('an event of the generation is looked after at once, one about another is not', async () => {
  const { server, sendEvent } = await openUnprepared();
  await untilShown(PREPARING, MAIN);
  await skip(30);
  server.sendFile(streamVideo, FILE);
  const asked = server.callsOf(streamVideo).length;
  await sendEvent('generation', { id: crypto.randomUUID() });
  expect(server.callsOf(streamVideo)).toHaveLength(asked);
  await sendEvent('generation', { id: VIDEO.videoId });
  await untilGone(PREPARING, MAIN);
  expect(server.callsOf(streamVideo)).toHaveLength(asked + 1);
});

test('whoever waits for long is told that the page may be closed, and the server is asked more and more seldom', async () => {
  const { server } = await openUnprepared();
  await untilShown(PREPARING, MAIN);
  await skip(25);
  await untilShown('Это дольше обычного. Страницу можно закрыть: видео останется в истории.', MAIN);
  const asked = server.callsOf(streamVideo).length;
  expect(asked).toBeLessThan(12);
  await skip(60);
  expect(server.callsOf(streamVideo).length - asked).toBeLessThan(8);
});

test('without a network it goes on waiting and says so', async () => {
  const { server } = await openUnprepared();
  await untilShown(PREPARING, MAIN);
  server.cut(streamVideo);
  await act(async () => noteDisconnected());
  await untilShown('Ждём сеть. Видео готовится на сервере.', MAIN);
  await skip(5);
  server.sendFile(streamVideo, FILE);
  await act(() => probeConnection());
  await skip(15);
  await untilGone(PREPARING, MAIN);
  expect(readText(MAIN)).not.toContain('Повторить');
});

test('a copy that could not be made is said to have failed, and «Повторить» has it made again', async () => {
  const { server, press } = await openUnprepared();
  await untilShown(PREPARING, MAIN);
  server.refuse(streamVideo, 'video_copy_failed', { retryAfter: 60 });
  await skip(3);
  await untilShown(ERRORS.video_copy_failed.message, MAIN);
  server.answer(prepareVideo, () => {
    server.refuse(streamVideo, 'video_preparing', { retryAfter: 1 });
    return { isReady: false };
  });
  await press('button', 'Повторить', MAIN);
  await untilGone(ERRORS.video_copy_failed.message, MAIN);
  expect(server.callsOf(prepareVideo)).toHaveLength(1);
  await failPlayback();
  await untilShown(PREPARING, MAIN);
});

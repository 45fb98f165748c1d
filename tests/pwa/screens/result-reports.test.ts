// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { getResultReport, reportResult } from '#shared/contract/result-reports.ts';
import { openGallery, openGeneration } from '#tests/pwa/support/open-pages.ts';
import { closeScreen, readText, type Screen, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { sampleGeneration, sampleImage, sampleResult } from '#tests/pwa/support/samples.ts';

const MAIN = 'main';
const DIALOG = '[role=dialog]';
const OPEN = { status: 'open', decision: null, answer: null } as const;
const CLOSED = { status: 'closed', decision: 'stars_returned', answer: 'Принт и правда не тот' } as const;

afterEach(closeScreen);

function openSession(reports: (typeof OPEN | typeof CLOSED | null)[]): Promise<Screen> {
  const results = reports.map((report, position) => sampleResult({ id: `frame-${position}`, position, report }));
  return openGeneration(sampleGeneration('photosession', { status: 'completed', results }));
}

test('a complaint about one frame is sent with its reason, and its button says so from then on', async () => {
  const { server, press, fill } = await openSession([null, null]);
  await press('button', /^Пожаловаться: .* 2$/, MAIN);
  await press('button', 'Отправить', DIALOG);
  await untilShown('Выберите, что не так', DIALOG);
  await press('radio', 'Другое', DIALOG);
  await press('button', 'Отправить', DIALOG);
  await untilShown('Опишите, что не так', DIALOG);
  expect(server.callsOf(reportResult)).toEqual([]);

  server.refuse(reportResult, 'too_many_requests');
  await fill('Комментарий', 'Не та пуговица');
  await press('button', 'Отправить', DIALOG);
  await untilShown('Слишком много запросов. Подождите немного и повторите', DIALOG);
  server.answer(reportResult, OPEN);
  await press('button', 'Отправить', DIALOG);
  await untilShown('Жалоба отправлена', DIALOG);
  const call = server.callsOf(reportResult).at(-1);
  expect([call?.url.pathname, call?.body]).toEqual([
    '/api/results/frame-1/report',
    { reason: 'other', comment: 'Не та пуговица' },
  ]);
  await press('button', 'Готово', DIALOG);
  await press('button', /^Жалоба отправлена: .* 2$/, MAIN);
});

test('a decision is shown on the result with the administrator’s answer, and the person may complain again', async () => {
  const { press } = await openSession([CLOSED]);
  await press('button', /^Жалоба рассмотрена: звёзды возвращены: /, MAIN);
  await untilShown('Принт и правда не тот', DIALOG);
  await press('button', 'Пожаловаться ещё раз', DIALOG);
  await untilShown('Что не так с результатом?', DIALOG);
});

test('the gallery asks for an earlier complaint when its dialog opens', async () => {
  const { press } = await openGallery([sampleImage()], (server) => server.answer(getResultReport, { report: OPEN }));
  await press('button', /^Открыть: Пальто/);
  await press('button', 'Пожаловаться', DIALOG);
  await untilShown('Жалоба отправлена', DIALOG);
  expect(readText(DIALOG)).not.toContain('Выберите');
});

// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { listAuditEntries } from '#shared/contract/administration.ts';
import {
  type AdminOutage,
  type EngineFigures,
  type EngineStates,
  getEngineAnalytics,
  getEngineStates,
  tryEngineAgain,
} from '#shared/contract/engines.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { openPanel } from '#tests/pwa/support/open-pages.ts';
import {
  clean,
  closeScreen,
  readText,
  type Screen,
  untilGone,
  untilRead,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { USER } from '#tests/pwa/support/samples.ts';

const TAB = '/dashboard/analytics?tab=engines';
const TOAST = '.toast';
const LATER = '2999-01-01T00:00:00.000Z';
const OUTAGE: AdminOutage = {
  id: '0f8f0b1e-0000-4000-8000-000000000001',
  engine: 'fal',
  kind: null,
  cause: 'unfunded',
  detail: 'exhausted balance',
  openedAt: '2026-11-20T10:00:00.000Z',
  retryAt: LATER,
  closedAt: null,
  hasOrders: true,
};
const STATES: EngineStates = {
  tools: [
    {
      kind: 'video',
      engine: {
        name: 'fal',
        photosTravel: 'abroad',
        abilities: { mover: 'person', seconds: [5, 10], aspectRatios: ['3:4'] },
      },
      obstacle: 'Инструмент на обслуживании',
    },
    {
      kind: 'model_change',
      engine: { name: 'local', photosTravel: 'nowhere', abilities: { change: 'background_change' } },
      obstacle: null,
    },
    { kind: 'photosession', engine: null, obstacle: null },
  ],
  outages: [OUTAGE],
  spentToday: [
    { engine: 'fal', amount: 3.5, currency: 'USD' },
    { engine: 'comfyui', amount: 0, currency: null },
  ],
  dailyBudget: 20,
  freeRunsToday: 7,
  freeRunsPerDay: null,
};
const VIDEOS: EngineFigures = {
  engine: 'fal',
  kind: 'video',
  orders: 15,
  completed: 9,
  cancelled: 3,
  failed: 3,
  jobs: 16,
  failures: [
    { code: 'content_refused', count: 2 },
    { code: 'something_new', count: 1 },
  ],
  medianSeconds: 330,
  p90Seconds: 546,
  costs: [{ currency: 'USD', amount: 5, resubmits: 0.35, rerolls: 0.1, uncertain: 0.7 }],
  stars: 20,
  revenueRub: 800,
};

afterEach(closeScreen);

function openTab(
  states: EngineStates = STATES,
  engines: EngineFigures[] = [VIDEOS],
  address = TAB,
  prepare: (server: ContractServer) => void = () => {},
): Promise<Screen> {
  return openPanel((server) => {
    server.answer(getEngineStates, states);
    server.answer(getEngineAnalytics, { engines, starPriceRub: engines.length > 0 ? 40 : null });
    prepare(server);
  }, address);
}
const region = (name: string) => `[aria-label='${name}']`;

test('the engines are shown by tool, with what they can do, where photos go and what keeps them', async () => {
  await openTab();
  await untilShown('Движки инструментов');
  const rows = [...document.querySelectorAll(`${region('Движки инструментов')} li`)].map((row) =>
    clean(row.textContent ?? ''),
  );
  expect(rows).toEqual([
    'ВидеоfalДвижется человек; 5 и 10 с; 3:4Фото уходят за границуНе принимает заказыИнструмент на обслуживании',
    'Смена моделиВстроенныйМеняет только фонФото остаются на этом сервереПринимает заказы',
    'Фотосессиядвижка нетИнструмент не предлагается',
  ]);
  const today = readText(region('Сегодня'));
  expect(today).toContain('Потрачено, fal3,50 из 20,00 USD');
  expect(today).not.toContain('ComfyUI');
  expect(today).toContain('Заказы тех, кто не платил7без лимита (ENGINE_FREE_RUNS)');
});

test('an outage says what to do, and is tried again with one press', async () => {
  const { server, press } = await openTab();
  await untilShown('Закончились деньги у провайдера');
  const said = readText(region('Сбои сейчас'));
  expect(said).toContain('Все инструменты, движок fal, с 20.11.2026, 13:00.');
  expect(said).toContain('Пополните баланс в личном кабинете провайдера. Пробный заказ пройдёт после');
  expect(said).toContain('Ответ движка: exhausted balance');
  server.answer(tryEngineAgain, undefined);
  server.answer(getEngineStates, { ...STATES, outages: [{ ...OUTAGE, retryAt: OUTAGE.openedAt }] });
  await press('button', 'Проверить снова');
  await untilShown('Следующий заказ будет пробным', TOAST);
  await untilRead('если он получится, сбой закончится', region('Сбои сейчас'));
  expect(server.callsOf(tryEngineAgain).map(({ url }) => url.pathname)).toEqual([
    `/api/admin/engine-outages/${OUTAGE.id}/trial`,
  ]);
  await untilGone('Проверить снова', region('Сбои сейчас'));
});

test('an outage that has ended meanwhile is said to have ended, and leaves the open ones', async () => {
  const { server, press, find } = await openTab();
  await find('button', 'Проверить снова');
  server.refuse(tryEngineAgain, 'outage_not_found');
  server.answer(getEngineStates, { ...STATES, outages: [{ ...OUTAGE, closedAt: '2026-11-20T10:04:52.000Z' }] });
  await press('button', 'Проверить снова');
  await untilShown('Этот сбой уже закончился', TOAST);
  await untilRead('20.11.2026, 13:00до 20.11.2026, 13:04', region('Прошедшие сбои'));
  expect(document.querySelector(region('Сбои сейчас'))).toBeNull();
});

test('an outage of an engine without orders cannot be tried', async () => {
  await openTab({ ...STATES, outages: [{ ...OUTAGE, hasOrders: false }] });
  await untilShown('Закончились деньги у провайдера');
  expect(readText(region('Сбои сейчас'))).toContain('Новые заказы получает другой движок');
  expect(readText('main')).not.toContain('Проверить снова');
});

test('engines on this server have neither costs nor ceilings', async () => {
  await openTab({ ...STATES, outages: [], spentToday: [] }, []);
  await untilShown('Все движки работают на этом сервере: затрат и лимитов нет.');
  await untilShown('За 30 дней сбоев не было.');
  await untilShown('Заказов не было');
  expect(readText('main')).toContain('За период никто не покупал звёзды за рубли');
});

test('a period’s orders, failures, times and costs are shown, and the margin only with a rate', async () => {
  const { fill, find, server } = await openTab(STATES, [VIDEOS], `${TAB}&startDate=2026-11-01`);
  await untilShown('с 01.11.2026 по сегодня');
  expect(server.callsOf(getEngineAnalytics)[0]?.url.searchParams.get('startDate')).toBe('2026-11-01');
  const card = region('Видео, fal');
  const said = readText(card);
  expect(said).toContain('Заказы15готово 9, отменено 3');
  expect(said).toContain('Не получилось25 % (3)содержание не принято: 2, something_new: 1');
  expect(said).toContain('Обычное время5 мин 30 с9 из 10 не дольше 9 мин 6 с');
  expect(said).toContain(
    '5,00 USDиз них повторы 0,35 USD, бесплатные переделки 0,10 USD, оборванные отправки 0,70 USDзаданий движка 16',
  );
  expect(said).toContain('800 ₽20 звёзд');
  expect(said).toContain('Маржа—без убытка при курсе до 160,00 ₽ за USD');
  expect(readText('main')).toContain('по средней цене звезды, оплаченной в рублях за период: 40,00 ₽');
  await fill('Курс USD, ₽', '80,5');
  await untilRead('Маржа50 %398 ₽', card);
  expect(new URLSearchParams(location.search).get('rate.USD')).toBe('80,5');
  expect((await find('link', 'Скачать CSV')).getAttribute('href')).toBe(
    '/api/analytics/engines.csv?startDate=2026-11-01',
  );
});

test('the rate and the period outlive another tab of the panel and a reload', async () => {
  const { press, reload, find } = await openTab(STATES, [VIDEOS], `${TAB}&startDate=2026-11-01&rate.USD=100`);
  await untilRead('Маржа38 %', region('Видео, fal'));
  await press('tab', 'Журнал');
  await untilShown('Журнал пуст');
  await press('tab', 'Движки');
  await untilRead('Маржа38 %', region('Видео, fal'));
  await reload();
  expect((await find('field', 'Курс USD, ₽')).value).toBe('100');
  await untilRead('Маржа38 %', region('Видео, fal'));
});

test('a failure of the engines is said and can be tried again', async () => {
  const { server, press } = await openTab(STATES, [], TAB, (server) => {
    server.garble(getEngineStates, '', 500);
    server.garble(getEngineAnalytics, '', 500);
  });
  await untilShown('Не удалось загрузить движки');
  await untilShown('Не удалось загрузить работу движков');
  server.answer(getEngineStates, STATES);
  await press('button', 'Повторить');
  await untilShown('Движки инструментов');
});

test('a press of «Проверить снова» is told in the audit', async () => {
  const entry = { id: '1', admin: USER.email, accountId: null, createdAt: OUTAGE.openedAt };
  const details = { engine: 'comfyui', tool: 'photosession', cause: 'misconfigured' };
  const { press, server } = await openTab();
  server.answer(listAuditEntries, {
    entries: [{ ...entry, action: 'engine_trial_requested', details }],
    nextCursor: null,
  });
  await press('tab', 'Журнал');
  await untilShown('Проверка движка');
  expect(readText('main')).toContain('движок: ComfyUI · инструмент: Фотосессия · сбой: Движок не принимает настройки');
});

// @vitest-environment happy-dom
import { writeStored } from '#pwa/device/storage.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { getCatalogue } from '#shared/contract/catalogue.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import { BAD_GATEWAY, type ContractServer } from '#tests/pwa/support/contract-server.ts';
import { describeTexts } from '#tests/pwa/support/literal-texts.ts';
import { openEnding, openGeneration } from '#tests/pwa/support/open-pages.ts';
import { openScreen, type Screen } from '#tests/pwa/support/open-screen.tsx';
import {
  BACKGROUND,
  MODEL,
  PAID,
  PHOTO,
  sampleActive,
  sampleGeneration,
  sampleResult,
  USER,
} from '#tests/pwa/support/samples.ts';

const TOAST = '.toast';
const TOAST_TITLE = '.toast .font-semibold';
const PAGE = 'main';
const PHOTOSHOOT = '/dashboard/photoshoot';
const CHANGE = '/dashboard/change-model';
const CREATE = 'Создать фотосессию (2 звезды)';
const FRAMES = [0, 1, 2, 3, 4].map((position) => sampleResult({ id: `frame-${position}`, position }));

describeTexts(import.meta.filename, {
  async 'a photo session that is about to be started'({ see, seeAs }) {
    const { press, server } = await openPhotoshoot((server) => server.garble(startPhotosession, ...BAD_GATEWAY));
    await see('h1', 'Фотосессия по одному фото');
    await see(PAGE, 'Выбрать другое фото');
    await seeAs(PAGE, CREATE, CREATE);
    await press('button', CREATE);
    await see(TOAST, 'Ошибка генерации', 'Произошла ошибка при генерации фотосессии');
    server.refuse(startPhotosession, 'not_enough_stars');
    const answer = server.hold(startPhotosession);
    await press('button', CREATE);
    await see(`${PAGE} button`, 'Обработка...');
    answer();
    await see(TOAST, 'Недостаточно звезд для генерации');
    const hint = 'Для генерации фотосессии требуются 2 звезды';
    await seeAs(TOAST, 'Для генерации фотосессии требуется 2 звезд', hint);
  },

  async 'a photo session for which there are too few stars'({ see }) {
    await openPhotoshoot((server) => server.answer(getStarBalance, { balance: 1 }));
    await see(PAGE, 'Недостаточно звезд для генерации');
  },

  async 'a photo session that gets ready'({ see, seeAs }) {
    await openEnding(sampleGeneration('photosession', { status: 'completed', results: FRAMES }));
    await see(TOAST, 'Фотосессия готова!');
    await see(PAGE, 'Создать новую');
    await seeAs(PAGE, 'Поза N', 'Поза 1', 'Поза 5');
  },

  async 'a photo session that runs already'({ see, seeAs }) {
    await openPhotoshoot((server) => {
      server.answer(getGeneration, sampleGeneration('photosession'));
      server.answer(listActiveGenerations, { activeGenerations: [sampleActive('photosession')] });
    });
    await see(TOAST, 'Продолжение генерации');
    await see(`${PAGE} h2`, 'Обработка...');
    await seeAs(PAGE, 'Поза N', 'Поза 1');
  },

  async 'a photo session that fails'({ see, seeAs }) {
    const failure = { code: 'engine_error', message: '' } as const;
    await openEnding(sampleGeneration('photosession', { status: 'failed', failure, starsSpent: 0 }));
    await see(TOAST, 'Ошибка генерации', 'Генерация фотосессии завершилась с ошибкой');
    await see(PAGE, 'Ошибка генерации');
    const text = 'Генерация фотосессии завершилась с ошибкой';
    await seeAs(PAGE, text, `${text}. 2 звезды возвращены.`);
  },

  async 'a photo session of which nothing is heard'({ see }) {
    await openGeneration(sampleGeneration('photosession'), (server) => server.garble(getGeneration, ...BAD_GATEWAY));
    await see(TOAST, 'Ошибка проверки статуса', 'Не удалось проверить статус генерации');
    await see(PAGE, 'Ошибка проверки статуса', 'Не удалось проверить статус генерации');
  },

  async 'a change of model that is refused'({ see }) {
    const { press, server } = await openChange((server) => server.garble(startModelChange, ...BAD_GATEWAY));
    await see('h1', 'Смена модели');
    await press('button', /^Сменить модель/);
    await see(TOAST, 'Ошибка генерации', 'Ошибка генерации смены модели');
    server.refuse(startModelChange, 'not_enough_stars');
    await press('button', /^Сменить модель/);
    await see(TOAST_TITLE, 'Недостаточно звезд');
    await see(TOAST, 'Для смены модели требуется 1 звезда. Пополните баланс в настройках.');
  },

  async 'a change of model for which there are too few stars'({ see }) {
    await openChange((server) => server.answer(getStarBalance, { balance: 0 }));
    await see(`${PAGE} button`, 'Недостаточно звезд');
  },

  async 'a change of model that fails'({ see, seeAs }) {
    const failure = { code: 'engine_error', message: '' } as const;
    await openEnding(sampleGeneration('model_change', { status: 'failed', failure, starsSpent: 0 }));
    await see(TOAST, 'Генерация не удалась');
    await see(PAGE, 'Генерация не удалась');
    const text = 'Произошла ошибка при генерации';
    await seeAs(PAGE, text, `${text}. 1 звезда возвращена.`);
  },

  async 'a change of model that is repeated with a model that is gone'({ see }) {
    const failure = { code: 'engine_error', message: 'Фото не подошло' } as const;
    const { press } = await openGeneration(sampleGeneration('model_change', { status: 'failed', failure }), (server) =>
      server.answer(getCatalogue, { models: [], backgrounds: [BACKGROUND] }),
    );
    await press('button', /^Повторить/);
    await see(TOAST, 'Не все данные выбраны', 'Пожалуйста, загрузите изображение, выберите модель и фон');
  },

  async 'a change of model of which nothing is heard'({ see, seeAs }) {
    await openGeneration(sampleGeneration('model_change'), (server) => server.garble(getGeneration, ...BAD_GATEWAY));
    await see(TOAST, 'Ошибка проверки статуса', 'Не удалось проверить статус генерации');
    await see(PAGE, 'Ошибка проверки статуса');
    const text = 'Не удалось проверить статус генерации';
    await seeAs(PAGE, text, `${text}. Генерация продолжается на сервере.`);
  },

  async 'a change of model without its picture'({ see }) {
    await openEnding(sampleGeneration('model_change', { status: 'completed' }));
    await see(TOAST, 'Ошибка генерации', 'Генерация завершена, но результат не найден. Попробуйте еще раз.');
    await see(PAGE, 'Ошибка генерации', 'Генерация завершена, но результат не найден. Попробуйте еще раз.');
  },

  async 'a picture that cannot be downloaded'({ see }) {
    const { press } = await openGeneration(
      sampleGeneration('model_change', { status: 'completed', results: [sampleResult()] }),
      (server) => {
        server.answer(getPremiumStatus, PAID);
        server.refuse(downloadImage, 'image_not_found');
      },
    );
    await press('button', 'Скачать');
    await see(TOAST, 'Ошибка скачивания', 'Не удалось скачать файл. Попробуйте еще раз.');
  },
});

function openPhotoshoot(prepare: (server: ContractServer) => void): Promise<Screen> {
  return openScreen(PHOTOSHOOT, {
    async prepare(server) {
      await writeStored(USER.id, 'photoshootPhoto', PHOTO);
      prepare(server);
    },
  });
}

/** At the last step, with everything chosen. */
function openChange(prepare: (server: ContractServer) => void): Promise<Screen> {
  const draft = { photo: PHOTO, modelId: MODEL.id, backgroundId: BACKGROUND.id, step: 'generation' };
  return openScreen(CHANGE, {
    async prepare(server) {
      await writeStored(USER.id, 'changeModelDraft', draft);
      prepare(server);
    },
  });
}

import { LayoutGrid, ScanFace, Shirt, Timer } from 'lucide-react';
import { StartAction, type StartActionProps } from '#pwa/features/generations/start-action.tsx';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import type { FrameSort } from '#shared/rules/tool-abilities.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

const PROMISES: Record<FrameSort, string> = {
  poses: 'Получится пять кадров 3:4 в разных позах',
  views: 'Получится пять разных кадров 3:4',
};

/** What becomes of the photo, before a session is started. */
export function SessionPromise() {
  const promise = PROMISES[useFrameSort()];
  return (
    <p className="text-sm text-muted">
      {nb(`Загрузите одно фото вещи целиком. ${promise} для карточки товара — их можно увеличить и скачать.`)}
    </p>
  );
}

/** The primary action of the page, or why it is not available. */
export function SessionStart(
  props: Pick<StartActionProps, 'readiness' | 'balance' | 'isBusy' | 'isQueued' | 'line' | 'onStart'>,
) {
  return (
    <StartAction
      {...props}
      kind="photosession"
      shortTitle={PHOTOSESSION_TEXTS.notEnoughStars}
      loadingText={PHOTOSESSION_TEXTS.processing}
      className="lg:static"
      wide
    >
      {PHOTOSESSION_TEXTS.create}
    </StartAction>
  );
}

const SPEED = { Icon: Timer, title: 'Результат за минуты', text: 'Кадры появляются по одному' };
const FEATURES: Record<FrameSort, (typeof SPEED)[]> = {
  poses: [
    { Icon: LayoutGrid, title: '5 разных поз', text: 'Вещь целиком и крупно, в одном свете' },
    { Icon: ScanFace, title: 'Обработка ИИ', text: 'Крой, цвет и принт берём с вашего фото' },
    SPEED,
  ],
  views: [
    {
      Icon: LayoutGrid,
      title: '5 разных кадров',
      text: 'Вещь целиком при другом свете и фоне, а где хватает пикселей — и крупные планы',
    },
    { Icon: Shirt, title: 'Вещь остаётся собой', text: 'Крой, цвет и поза — как на вашем фото' },
    SPEED,
  ],
};

export function FeatureCards() {
  return (
    <ul className="grid md:grid-cols-3 gap-5 mt-10 pt-6 border-t border-line">
      {FEATURES[useFrameSort()].map(({ Icon, title, text }) => (
        <li key={title} className="flex gap-3">
          <Icon className="ic mt-0.5" />
          <div className="min-w-0">
            <div className="font-semibold text-sm">{nb(title)}</div>
            <p className="text-sm text-muted">{nb(text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

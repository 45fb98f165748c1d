import { Download, Share } from 'lucide-react';
import { BrandMark } from '#pwa/components/brand-mark.tsx';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';
import { askToInstall } from './install-prompt.ts';
import type { InstallWay } from './installation.ts';

export interface InstallCardProps {
  way: Exclude<InstallWay, 'none'>;
  title?: string;
  onDone: () => void;
  /** Absent where the person has looked for the card. */
  onPutOff?: () => void;
}

const IOS_STEPS = ['Нажмите «Поделиться»', 'Выберите «На экран „Домой“»', 'Нажмите «Добавить»'];

/** Says what the installation brings and how it is done here. */
export function InstallCard({ way, title = 'Установите «Подиум»', onDone, onPutOff }: InstallCardProps) {
  return (
    <>
      <div className="flex gap-4">
        <span
          className="grid place-items-center size-14 rounded-[14px] bg-plate text-on-plate flex-none"
          aria-hidden="true"
        >
          <BrandMark />
        </span>
        <div>
          <div className="font-semibold text-lg">{nb(title)}</div>
          <p className="text-sm text-muted mt-0.5">
            {nb('Откроется с экрана телефона, как обычное приложение. Готовые видео придут уведомлением.')}
          </p>
        </div>
      </div>
      {way === 'ios' && (
        <>
          <ol className="grid gap-1.5 mt-4 text-sm list-decimal pl-5">
            {IOS_STEPS.map((step, index) => (
              <li key={step}>
                {nb(step)} {index === 0 && <Share className="ic ic-s inline" aria-hidden="true" />}
              </li>
            ))}
          </ol>
          <p className="text-sm text-muted mt-2">{nb('В приложение нужно будет войти ещё раз.')}</p>
        </>
      )}
      <div className="flex gap-2 mt-4">
        {way === 'button' && (
          <Button
            variant="second"
            className="flex-1"
            icon={<Download className="ic ic-s" />}
            onClick={() => void askToInstall().then(onDone)}
          >
            Установить
          </Button>
        )}
        {onPutOff && (
          <Button variant="quiet" onClick={onPutOff}>
            Не сейчас
          </Button>
        )}
      </div>
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { isConsentRefusal } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { askAfterRefusal } from '#pwa/features/consent/document-consent.ts';
import { KeptPhotosButton } from '#pwa/features/photos/kept-photos-button.tsx';
import { formatTime, nb } from '#pwa/format.ts';
import { PHOTO_ROOM_ERRORS } from '#shared/contract/uploads.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { countFiles, countLines } from './intake-texts.ts';
import type { BatchIntake } from './use-batch-intake.ts';
import { useTakeInOfPage } from './use-take-in.ts';

/** How far the files of a batch are sent, and what they wait for. Nothing when there is nothing to say. */
export function IntakeStatus() {
  const { intake, linesWaiting, addLinesWithoutFiles, forgetLines } = useTakeInOfPage();
  return (
    <div className="grid gap-3 empty:hidden">
      {intake.left > 0 && <Sending {...intake} />}
      {intake.missing > 0 && (
        <Notice tone="warning" title={nb(`Нет на этом устройстве: ${countFiles(intake.missing)}`)}>
          {nb('Откройте партию там, откуда вы их добавляли, или выберите эти файлы ещё раз.')}
        </Notice>
      )}
      {linesWaiting > 0 && (
        <Notice
          tone="info"
          title={nb(`В таблице без файлов: ${countLines(linesWaiting)}`)}
          action={
            <span className="flex flex-wrap gap-2">
              <Button variant="second" size="sm" onClick={() => void addLinesWithoutFiles()}>
                Добавить как есть
              </Button>
              <Button variant="quiet" size="sm" onClick={forgetLines}>
                Убрать таблицу
              </Button>
            </span>
          }
        >
          {nb('Выберите папку или файлы: они сами найдут свои строки.')}
        </Notice>
      )}
    </div>
  );
}

function Sending({ left, progress, pause, isWaitingForConnection, needsOpenPage, resume }: BatchIntake) {
  const queryClient = useQueryClient();
  // Files that are sent leave the list, so all of them are as many as there were at most.
  const all = useRef(left);
  all.current = Math.max(all.current, left);
  const states = [...progress.values()];
  const underway = states.reduce((sum, { sentShare }) => sum + sentShare, 0);
  const isReading = states.some(({ state }) => state === 'hashing');
  if (isWaitingForConnection) {
    const then = needsOpenPage ? 'Откройте страницу, чтобы догрузить' : 'Догрузятся сами, когда она появится';
    return <Status title={`Ждут сети: ${countFiles(left)}`}>{nb(then)}</Status>;
  }
  if (pause) {
    const next = pause.until === null ? '' : ` Следующая попытка в ${formatTime(new Date(pause.until))}.`;
    const isRoom = PHOTO_ROOM_ERRORS.some((code) => code === pause.code);
    const again = () => (isConsentRefusal(pause.code) ? askAfterRefusal(queryClient, pause.code, resume) : resume());
    return (
      <Notice
        tone="warning"
        title={nb(`Загрузка на паузе, осталось: ${countFiles(left)}`)}
        action={
          <span className="flex flex-wrap gap-2">
            {isRoom && <KeptPhotosButton size="sm">Удалить ненужные фото</KeptPhotosButton>}
            <Button variant="second" size="sm" onClick={again}>
              Продолжить
            </Button>
          </span>
        }
      >
        {nb(`${pause.message}.${next}`.replaceAll('..', '.'))}
      </Notice>
    );
  }
  const verb = pluralize(left, ['Загружается', 'Загружаются', 'Загружаются']);
  return (
    <Status title={`${verb}: ${countFiles(left)}`} share={(all.current - left + underway) / all.current}>
      {nb(
        isReading
          ? 'Не закрывайте страницу: файлы ещё читаются.'
          : needsOpenPage
            ? 'Не закрывайте страницу. Если закроете, откройте её снова, чтобы догрузить.'
            : 'Страницу можно закрыть: остальное догрузится.',
      )}
    </Status>
  );
}

function Status({ title, share, children }: { title: string; share?: number; children: ReactNode }) {
  return (
    <div className="rounded-panel bg-info-soft p-4 text-sm">
      <div className="font-semibold" role="status">
        {nb(title)}
      </div>
      <div>{children}</div>
      {share !== undefined && <StitchProgress value={share} label="Загрузка файлов" className="mt-2" />}
    </div>
  );
}

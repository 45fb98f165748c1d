import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import type { ConsentNeed } from '#pwa/lib/document-consent.ts';
import { nb } from '#pwa/lib/format.ts';
import { loadNewestVersion } from '#pwa/lib/load-newest-version.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { resumeStarts } from '#pwa/lib/upload-queue.ts';
import { giveConsent } from '#shared/contract/account.ts';
import { namesTransferAbroad } from '#shared/rules/legal-documents.ts';
import { ConsentBoxes } from './consent-boxes.tsx';
import { consentSchema } from './registration-schema.ts';

const FORM_ID = 'document-consent';

interface ConsentDialogProps {
  userId: number;
  need: ConsentNeed;
  /** Continues what needed the consent. */
  proceed: (() => void) | null;
  onClose: () => void;
}

/** Says what has changed in the documents, asks for the consent again, and goes on. */
export default function ConsentDialog({ userId, need, proceed, onClose }: ConsentDialogProps) {
  const queryClient = useQueryClient();
  const consent = useMutation({
    mutationFn: () => callApi(giveConsent, { body: { version: need.version } }),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      ignoreFailure(resumeStarts(userId));
      onClose();
      proceed?.();
    },
  });
  const renewal = useMutation({ mutationFn: loadNewestVersion });
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(consentSchema),
    defaultValues: { acceptPolicy: false, acceptDataProcessing: false },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Нужно ваше согласие"
      description={nb('Без него новые генерации не запускаются, звёзды остаются на балансе.')}
      size="sm"
      canClose={!consent.isPending}
      footer={
        <>
          <Button variant="second" disabled={consent.isPending} onClick={onClose}>
            Не сейчас
          </Button>
          {need.isPageOutdated ? (
            <Button loading={renewal.isPending} loadingText="Обновляем…" onClick={() => renewal.mutate()}>
              Обновить страницу
            </Button>
          ) : (
            <Button type="submit" form={FORM_ID} loading={consent.isPending} loadingText="Сохраняем…">
              {proceed ? 'Согласиться и продолжить' : 'Согласиться'}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-2 text-sm">
        <Changes need={need} />
      </div>
      {!need.isPageOutdated && (
        <form id={FORM_ID} className="grid gap-3 mt-3" noValidate onSubmit={handleSubmit(() => consent.mutate())}>
          <ConsentBoxes
            acceptPolicy={register('acceptPolicy')}
            acceptDataProcessing={register('acceptDataProcessing')}
            errors={formState.errors}
            namesAbroad={namesTransferAbroad(need.version)}
          />
          {consent.isError && (
            <ErrorNote>{describeError(consent.error, 'Не удалось сохранить согласие. Попробуйте ещё раз')}</ErrorNote>
          )}
        </form>
      )}
    </Dialog>
  );
}

function Changes({ need }: { need: ConsentNeed }) {
  if (need.isPageOutdated) {
    return <p>{nb('Документы сервиса обновились, а эта страница старая. Обновите её, чтобы прочитать их.')}</p>;
  }
  return (
    <>
      {need.isNewlyAbroad && (
        <p>
          {nb(
            'Результаты теперь создаёт сервис за границей. При каждом запуске ему передаются фото, выбранная модель или фон и настройки; имя, почта и другие данные аккаунта не передаются. Фото хранится там недолго и нужно только для результата.',
          )}
        </p>
      )}
      {need.hasNewTexts && (
        <p>
          {nb(
            'Обновились политика конфиденциальности, условия и согласие на обработку персональных данных. Новая редакция открывается по ссылкам ниже.',
          )}
        </p>
      )}
    </>
  );
}

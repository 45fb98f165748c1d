import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { ignoreFailure } from '#pwa/device/storage.ts';
import type { ConsentNeeds } from '#pwa/features/consent/document-consent.ts';
import { resumeAfterConsent } from '#pwa/features/uploads/upload-queue.ts';
import { nb } from '#pwa/format.ts';
import { giveConsent } from '#shared/contract/account.ts';
import { CONSENT_KINDS } from '#shared/rules/legal-documents.ts';
import { ConsentBoxes, TransferBox } from './consent-boxes.tsx';
import { loadNewestVersion } from './load-newest-version.ts';
import { consentSchema, transferSchema } from './registration-schema.ts';

const FORM_ID = 'document-consent';

interface ConsentDialogProps {
  userId: number;
  /** At least one of them is lacking. */
  needs: ConsentNeeds;
  /** Continues what needed the consent. */
  proceed: (() => void) | null;
  onClose: () => void;
}

/** Asks for the consents that are lacking, each with boxes of its own, and goes on. */
export default function ConsentDialog({ userId, needs, proceed, onClose }: ConsentDialogProps) {
  const { documents, transfer } = needs;
  const queryClient = useQueryClient();
  const consent = useMutation({
    async mutationFn() {
      for (const kind of CONSENT_KINDS) {
        const version = needs[kind]?.version;
        if (version === undefined) continue;
        queryClient.setQueryData(QUERY_KEYS.user, await callApi(giveConsent, { body: { kind, version } }));
      }
    },
    onSuccess() {
      ignoreFailure(resumeAfterConsent(userId));
      onClose();
      proceed?.();
    },
  });
  const renewal = useMutation({ mutationFn: loadNewestVersion });
  const isPageOutdated = Boolean(documents?.isPageOutdated || transfer?.isPageOutdated);
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(schemaOf(needs)),
    defaultValues: { acceptPolicy: false, acceptDataProcessing: false, acceptTransfer: false },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Нужно ваше согласие"
      description={nb(describeLack(needs))}
      size="sm"
      canClose={!consent.isPending}
      footer={
        <>
          <Button variant="second" disabled={consent.isPending} onClick={onClose}>
            Не сейчас
          </Button>
          {isPageOutdated ? (
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
        {isPageOutdated ? (
          <p>{nb('Документы сервиса обновились, а эта страница старая. Обновите её, чтобы прочитать их.')}</p>
        ) : (
          <Reasons needs={needs} />
        )}
      </div>
      {!isPageOutdated && (
        <form id={FORM_ID} className="grid gap-3 mt-3" noValidate onSubmit={handleSubmit(() => consent.mutate())}>
          {documents && (
            <ConsentBoxes
              acceptPolicy={register('acceptPolicy')}
              acceptDataProcessing={register('acceptDataProcessing')}
              errors={formState.errors}
            />
          )}
          {transfer && (
            <TransferBox box={register('acceptTransfer')} error={formState.errors.acceptTransfer?.message} />
          )}
          {consent.isError && (
            <ErrorNote>{describeError(consent.error, 'Не удалось сохранить согласие. Попробуйте ещё раз')}</ErrorNote>
          )}
        </form>
      )}
    </Dialog>
  );
}

/** Only the boxes that are shown have to be ticked. */
function schemaOf({ documents, transfer }: ConsentNeeds) {
  const optional = z.object({
    acceptPolicy: z.boolean(),
    acceptDataProcessing: z.boolean(),
    acceptTransfer: z.boolean(),
  });
  return z.extend(optional, { ...(documents && consentSchema.shape), ...(transfer && transferSchema.shape) });
}

function describeLack({ documents }: ConsentNeeds): string {
  return documents
    ? 'Без него фото не загружаются и новые генерации не запускаются, звёзды остаются на балансе.'
    : 'Без него этот инструмент не запускается, звёзды остаются на балансе. Инструменты, которые не передают фото за границу, работают и так.';
}

function Reasons({ needs: { documents, transfer } }: { needs: ConsentNeeds }) {
  return (
    <>
      {documents?.isRenewal && (
        <p>
          {nb(
            'Обновились политика конфиденциальности, условия и согласие на обработку персональных данных. Новая редакция открывается по ссылкам ниже.',
          )}
        </p>
      )}
      {transfer && (
        <p>
          {nb(
            'Результаты этого инструмента создаёт сервис за границей. При каждом запуске ему передаются фото, выбранная модель или фон и настройки; имя, почта и другие данные аккаунта не передаются. Отозвать это согласие можно в настройках.',
          )}
        </p>
      )}
    </>
  );
}

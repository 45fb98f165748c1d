import { Download } from 'lucide-react';
import { buildUrl } from '#pwa/client/api-client.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { toast } from '#pwa/components/toast.ts';
import { downloadIfAllowed } from '#pwa/device/save-file.ts';
import { nb } from '#pwa/format.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { exportAccount } from '#shared/contract/settings.ts';

const REFUSALS: Partial<Record<number, string>> = {
  401: 'Сессия завершена. Войдите и повторите',
  429: 'Данные уже выгружались несколько раз за этот час. Попробуйте позже',
  // The answer to a HEAD request has no words of its own.
  503: ERRORS.unavailable.message,
};
const FAILED = 'Не удалось начать выгрузку. Проверьте сеть и попробуйте ещё раз';

/** Downloads everything stored about the person as a ZIP. The browser writes it straight to the disk. */
export function DataExport() {
  const start = useSingleMutation({
    mutationFn: async () => {
      const refusal = await downloadIfAllowed(buildUrl(exportAccount, {}));
      if (refusal !== null) throw new Error(REFUSALS[refusal] ?? FAILED);
    },
    onSuccess: () =>
      toast({
        title: 'Выгрузка началась',
        description: nb('Файл появится в загрузках браузера. Большая галерея займёт несколько минут.'),
      }),
  });
  return (
    <>
      <Button
        variant="second"
        className="max-md:w-full"
        icon={<Download className="ic" />}
        loading={start.isPending}
        loadingText="Готовим…"
        onClick={() => start.mutate()}
      >
        Скачать мои данные
      </Button>
      {start.isError && (
        <div className="mt-3">
          <ErrorNote>{start.error.message}</ErrorNote>
        </div>
      )}
    </>
  );
}

import { Button } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/lib/format.ts';
import { useChangeNotificationSettings, useNotificationSettings } from './use-notification-settings.ts';

/** Whether a mail tells that a result is ready. */
export function ResultMailSetting() {
  const { data: settings, isError, isFetching, refetch } = useNotificationSettings();
  const change = useChangeNotificationSettings();
  if (!settings) {
    if (!isError) return <Skeleton className="h-11" />;
    return (
      <Notice
        tone="danger"
        title="Не удалось загрузить настройки"
        action={
          <Button variant="second" size="sm" loading={isFetching} onClick={() => void refetch()}>
            Повторить
          </Button>
        }
      />
    );
  }
  return (
    <Checkbox
      checked={settings.mailsResults}
      onChange={(event) => change.mutate({ mailsResults: event.target.checked })}
    >
      <span className="block font-medium">Письмо, когда результат готов</span>
      <span className="block text-muted">{nb('Если вы не в приложении и других уведомлений нет.')}</span>
    </Checkbox>
  );
}

import { Checkbox } from '#pwa/components/checkbox.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
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
      <RetryNotice title="Не удалось загрузить настройки" isRetrying={isFetching} onRetry={() => void refetch()} />
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

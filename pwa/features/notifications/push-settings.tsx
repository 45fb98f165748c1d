import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { type PushState, pushState } from '#pwa/client/push.ts';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { useStore } from '#pwa/device/store.ts';
import { formatRecentDate, nb } from '#pwa/format.ts';
import type { PushDevice } from '#shared/contract/push-devices.ts';
import { devicesQuery, useRemoveDevice } from './push-devices.ts';
import { DENIED_STEPS, useSubscribe } from './use-subscribe.ts';

export interface PushSettingsProps {
  userId: number;
  /** Names the browser of a user agent. */
  describeBrowser: (userAgent: string) => { name: string; isPhone: boolean };
}

const EXPLANATIONS: Partial<Record<PushState, string>> = {
  unsupported: 'Этот браузер не умеет показывать уведомления сайтов.',
  needs_install:
    'На iPhone и iPad уведомления приходят в установленное приложение: нажмите «Поделиться», затем «На экран „Домой“», откройте «Подиум» оттуда и войдите.',
  unknown: 'Проверяем, умеет ли этот браузер показывать уведомления…',
  failed: 'Не удалось проверить, включены ли уведомления. Проверим ещё раз, когда появится связь с сервером.',
  no_worker:
    'Браузер не запустил фоновую часть сайта, без неё уведомления не приходят. Так бывает в приватном окне и когда сайту запрещено хранить данные. Откройте «Подиум» в обычном окне, разрешите сайту хранить данные и обновите страницу.',
};

/** Whether this browser gets notifications, in one line. */
export function PushSummary() {
  return useStore(pushState) === 'on' ? 'Включены на этом устройстве' : 'Выключены на этом устройстве';
}

/** The notifications of this browser, and a list of the account's other browsers that get them. */
export function PushSettings({ userId, describeBrowser }: PushSettingsProps) {
  const state = useStore(pushState);
  const query = useQuery(devicesQuery);
  const devices = query.data ?? [];
  const subscribing = useSubscribe(userId);
  const removing = useRemoveDevice();
  const current = devices.find(({ isCurrent }) => isCurrent) ?? null;
  const others = devices.filter(({ isCurrent }) => !isCurrent);
  const isRemoving = (device: PushDevice | null) => removing.isPending && removing.variables?.id === device?.id;
  return (
    <div>
      <h3 className="font-medium">На этом устройстве</h3>
      {state === 'denied' ? (
        <Notice tone="info" title="Уведомления запрещены в браузере" className="mt-2">
          {nb(DENIED_STEPS)}
        </Notice>
      ) : state === 'on' ? (
        <>
          <p className="text-sm text-muted mt-1">Включены: придёт уведомление, даже если страница закрыта.</p>
          <Button
            variant="second"
            className="mt-3 max-md:w-full"
            disabled={query.isPending}
            loading={isRemoving(current)}
            loadingText="Выключаем…"
            onClick={() => removing.mutate(current)}
          >
            Выключить уведомления
          </Button>
        </>
      ) : state === 'off' ? (
        <>
          <p className="text-sm text-muted mt-1">
            {nb('Уведомление придёт, когда результат готов, даже если страница закрыта.')}
          </p>
          <Button
            variant="second"
            className="mt-3 max-md:w-full"
            loading={subscribing.isPending}
            loadingText="Включаем…"
            onClick={subscribing.subscribe}
          >
            Включить уведомления
          </Button>
        </>
      ) : (
        <p className="text-sm text-muted mt-1">{nb(EXPLANATIONS[state] ?? '')}</p>
      )}
      {query.isError && (
        <RetryNotice
          tone="warning"
          title="Не удалось загрузить список устройств"
          className="mt-5"
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {others.length > 0 && (
        <>
          <h3 className="font-medium mt-5">На других устройствах</h3>
          <ul className="divide-y divide-line">
            {others.map((device) => (
              <DeviceItem
                key={device.id}
                device={device}
                {...describeBrowser(device.userAgent)}
                isRemoving={isRemoving(device)}
                onRemove={() => removing.mutate(device)}
              />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface DeviceItemProps {
  device: PushDevice;
  name: string;
  isPhone: boolean;
  isRemoving: boolean;
  onRemove: () => void;
}

function DeviceItem({ device, name, isPhone, isRemoving, onRemove }: DeviceItemProps) {
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-3 py-2">
      <Icon className="ic text-muted" />
      <div className="flex-1 min-w-0">
        <div className="font-medium">{name}</div>
        <div className="num text-sm text-muted">
          {device.lastSentAt
            ? nb(`Последнее уведомление: ${formatRecentDate(device.lastSentAt)}`)
            : nb(`Подключено: ${formatRecentDate(device.createdAt)}`)}
        </div>
      </div>
      <Button
        variant="quiet"
        size="sm"
        loading={isRemoving}
        aria-label={`Выключить уведомления: ${name}`}
        onClick={onRemove}
      >
        Выключить
      </Button>
    </li>
  );
}

import { useQuery } from '@tanstack/react-query';
import { OctagonAlert } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { Button, buttonClass } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { formatRubles, nb } from '#pwa/format.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import { describeLogoRefusal } from '#shared/rules/marketplaces.ts';
import { namePaymentProvider } from '#shared/rules/payment-providers.ts';
import { PackageCard } from './package-card.tsx';
import { PAYMENT_TEXTS } from './payment-texts.ts';
import { paymentProvidersQuery, starPackagesQuery, suggestPackage } from './star-packages.ts';
import { useStartPayment } from './use-start-payment.ts';

export interface BuyStarsDialogProps {
  /** How many stars a generation lacks. The package that covers them is preselected. */
  missingStars: number;
  onClose: () => void;
}

/** The choice of a package of stars and the way to its payment. Mounted while it is open. */
export function BuyStarsDialog({ missingStars, onClose }: BuyStarsDialogProps) {
  const premium = useQuery(premiumStatusQuery);
  // The prices are always fetched again, because even a recent one may have changed. The cached list is shown until
  // then.
  const packages = useQuery({ ...starPackagesQuery, refetchOnMount: 'always' });
  const { data: providers = [] } = useQuery(paymentProvidersQuery);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [chosenProvider, setChosenProvider] = useState<string | null>(null);
  const { pay, isPaying, repriced } = useStartPayment();
  const chosen =
    packages.data?.find(({ id }) => id === chosenId) ?? suggestPackage(packages.data ?? [], missingStars) ?? null;

  // If the chosen provider is no longer offered, the usual one takes its place.
  const provider = providers.find((name) => name === chosenProvider) ?? providers[0];

  const choose = (item: StarPackage) => {
    setChosenId(item.id);
    recordServerEvent({
      event_name: 'buy_stars_package_selected',
      details: { packageId: item.id, stars: item.stars, priceRub: item.priceRub },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!isPaying}
      title={PAYMENT_TEXTS.title}
      description={PAYMENT_TEXTS.subtitle}
      footer={
        <div className="grid gap-2 w-full md:grid-cols-[1fr_auto]">
          <PayButton chosen={chosen} isPaying={isPaying} onPay={(item) => pay({ item, provider })} />
          <Button variant="quiet" className="md:min-h-12" disabled={isPaying} onClick={onClose}>
            Отмена
          </Button>
        </div>
      }
    >
      {repriced && chosen?.id === repriced.id && chosen.priceRub !== repriced.priceRub && (
        <Notice tone="warning" title="Цена пакета изменилась" className="mb-3">
          {nb(
            `«${chosen.name}»: было ${formatRubles(repriced.priceRub)}, стало ${formatRubles(chosen.priceRub)}. Если новая цена подходит, перейдите к оплате снова.`,
          )}
        </Notice>
      )}
      {premium.data?.isPremium === false && (
        <p className="text-sm mb-4">{nb(`${describeLogoRefusal()}. После любой покупки результаты без логотипа.`)}</p>
      )}
      {packages.data && packages.data.length > 0 ? (
        <RadioGroup
          label="Пакет звёзд"
          className="grid gap-2"
          value={chosen && String(chosen.id)}
          onChange={(value) => {
            const item = packages.data.find(({ id }) => String(id) === value);
            if (item && !isPaying) choose(item);
          }}
        >
          {packages.data.map((item) => (
            <PackageCard key={item.id} item={item} />
          ))}
        </RadioGroup>
      ) : packages.isFetching ? (
        <LoadingPackages />
      ) : (
        <NoPackages
          reason={
            packages.error
              ? describeError(packages.error, PAYMENT_TEXTS.packagesFailed)
              : 'Сейчас ни один пакет не продаётся'
          }
          onRetry={() => void packages.refetch()}
        />
      )}
      {provider && providers.length > 1 && (
        <ProviderChoice
          providers={providers}
          value={provider}
          onChange={(name) => !isPaying && setChosenProvider(name)}
        />
      )}
    </Dialog>
  );
}

interface ProviderChoiceProps {
  providers: readonly string[];
  value: string;
  onChange: (name: string) => void;
}

function ProviderChoice({ providers, value, onChange }: ProviderChoiceProps) {
  return (
    <div className="mt-4">
      <p className="font-semibold mb-2" aria-hidden="true">
        Способ оплаты
      </p>
      <SegmentedControl
        label="Способ оплаты"
        className="w-full"
        value={value}
        onChange={onChange}
        options={providers.map((name) => ({ value: name, label: namePaymentProvider(name) }))}
      />
    </div>
  );
}

interface PayButtonProps {
  chosen: StarPackage | null;
  isPaying: boolean;
  onPay: (chosen: StarPackage) => void;
}

function PayButton({ chosen, isPaying, onPay }: PayButtonProps) {
  if (!chosen) {
    return (
      // Not `disabled`: a press says what is missing.
      <button
        type="button"
        aria-disabled="true"
        className={buttonClass({ size: 'lg' }, 'md:min-h-12 !bg-sunken !text-subtle cursor-not-allowed')}
        onClick={() => toast({ title: PAYMENT_TEXTS.error, description: PAYMENT_TEXTS.nothingChosen, tone: 'danger' })}
      >
        {PAYMENT_TEXTS.pay}
      </button>
    );
  }
  return (
    <Button
      size="lg"
      className="md:min-h-12"
      loading={isPaying}
      loadingText={PAYMENT_TEXTS.paying}
      onClick={() => onPay(chosen)}
    >
      {PAYMENT_TEXTS.pay}
      <span className="num font-normal opacity-80">{formatRubles(chosen.priceRub)}</span>
    </Button>
  );
}

function LoadingPackages() {
  return (
    <div role="status">
      <p className="text-sm text-muted mb-2">{PAYMENT_TEXTS.loading}</p>
      <div className="grid gap-2" aria-hidden="true">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="h-24" />
        ))}
      </div>
    </div>
  );
}

function NoPackages({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <div className="grid justify-items-center text-center py-8" role="alert">
      <OctagonAlert className="ic ic-l text-danger" />
      <p className="font-semibold text-lg mt-3">{PAYMENT_TEXTS.loadFailed}</p>
      <p className="text-muted">{PAYMENT_TEXTS.loadFailedHint}</p>
      <p className="text-sm text-muted mt-2">{reason}</p>
      <Button variant="second" className="mt-4" onClick={onRetry}>
        Повторить
      </Button>
    </div>
  );
}

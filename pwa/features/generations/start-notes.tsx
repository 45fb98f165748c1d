import { localizeEngineDay } from '#pwa/client/engine-day.ts';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { askForConsent, useLackingConsents } from '#pwa/features/consent/document-consent.ts';
import { useIsAbroad, useIsDemonstration, useObstacle } from '#pwa/features/tools/tool-offer.ts';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { ABROAD_NOTE, DEMONSTRATION_NOTE } from '#shared/rules/tool-offer.ts';
import { BuyStarsButton } from './buy-stars-button.tsx';

/**
 * Says why a tool cannot be started now, or what is asked before the start. It goes away by itself when the obstacle is
 * over. `ToolNotOffered` speaks for a tool that is not offered at all.
 */
export function ObstacleNotice({ kind, className }: { kind: GenerationKind; className: string }) {
  const obstacle = useObstacle(kind);
  const isOffered = useOffered().includes(kind);
  return (
    <div role="status">
      {isOffered && obstacle && (
        <Notice
          tone="warning"
          className={className}
          action={
            obstacle.code === 'engine_free_runs_reached' && (
              <BuyStarsButton source={kind} variant="second" size="sm" className="max-md:w-full" />
            )
          }
        >
          <p className="font-semibold">{nb(localizeEngineDay(obstacle.message))}.</p>
          {obstacle.code !== 'tool_not_offered' && (
            <p>{nb('Когда снова будет можно, кнопка запуска включится сама.')}</p>
          )}
        </Notice>
      )}
      {isOffered && !obstacle && <ConsentNotice kind={kind} className={className} />}
    </div>
  );
}

/** Says that a start asks for a consent first. */
function ConsentNotice({ kind, className }: { kind: GenerationKind; className: string }) {
  const isAbroad = useIsAbroad(kind);
  const lacking = useLackingConsents(isAbroad);
  if (!lacking) return null;
  const { documents } = lacking;
  return (
    <Notice
      tone="warning"
      className={className}
      title="Нужно ваше согласие"
      action={<ConsentButton onPress={() => askForConsent(isAbroad)} />}
    >
      {nb(
        documents
          ? `${documents.isRenewal ? 'Документы сервиса обновились. ' : ''}Перед загрузкой фото и запуском попросим согласие.`
          : 'Этот инструмент передаёт фото за границу. Перед первым запуском попросим отдельное согласие.',
      )}
    </Notice>
  );
}

/** Leads to the dialog that asks for the consent. */
export function ConsentButton({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="second" size="sm" className="max-md:w-full" onClick={onPress}>
      Прочитать и согласиться
    </Button>
  );
}

/** Says before an upload or a start that the photo goes abroad, where it does, or that nothing is really generated. */
export function EngineNote({ kind, className = '' }: { kind: GenerationKind; className?: string }) {
  const isAbroad = useIsAbroad(kind);
  const isDemonstration = useIsDemonstration(kind);
  if (!isAbroad && !isDemonstration) return null;
  return (
    <Notice tone="info" className={className}>
      {nb(isDemonstration ? DEMONSTRATION_NOTE : ABROAD_NOTE)}
    </Notice>
  );
}

/** Stands in place of a tool that no engine of this installation can serve. */
export function ToolNotOffered() {
  return (
    <EmptyState
      title={nb(ERRORS.tool_not_offered.message)}
      text={nb('Всё, что вы сделали им раньше, осталось в галерее.')}
      action={
        <ButtonLink to={PATHS.gallery} variant="second">
          Открыть галерею
        </ButtonLink>
      }
    />
  );
}

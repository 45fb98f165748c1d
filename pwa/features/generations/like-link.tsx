import { Repeat2 } from 'lucide-react';
import { ButtonLink, type ButtonLinkProps } from '#pwa/components/button.tsx';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { likePath } from '#shared/rules/result-links.ts';
import { kindMaking, type ResultKind } from '#shared/rules/tools.ts';

export interface LikeLinkProps extends Pick<ButtonLinkProps, 'variant' | 'size' | 'className'> {
  generationId: string;
  /** What the generation has made. */
  made: ResultKind;
}

/**
 * «Сделать так же»: leads from a result to its tool, which takes over the settings and waits for another photo. Nothing
 * where the tool is not offered.
 */
export function LikeLink({ generationId, made, ...look }: LikeLinkProps) {
  const kind = kindMaking(made);
  const isOffered = useOffered().includes(kind);
  if (!isOffered) return null;
  return (
    <ButtonLink
      {...look}
      to={likePath(kind, generationId)}
      icon={<Repeat2 className={look.size === 'sm' ? 'ic ic-s' : 'ic'} />}
    >
      Сделать так же
    </ButtonLink>
  );
}

import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';

export interface ResultPictureProps {
  url: string;
  alt: string;
  className?: string;
  style?: CSSProperties;
  isLazy?: boolean;
  onBroken?: () => void;
}

/**
 * A picture of ours, or a silhouette while it cannot be loaded. Loading is tried again when the connection is back, and
 * after pauses: the server may be starting, or its storage away.
 */
export function ResultPicture({ url, alt, className = 'ph', style, isLazy = false, onBroken }: ResultPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const tries = useTries(brokenUrl === url);
  if (brokenUrl === url) {
    return (
      <SilhouetteBox className={className} label={alt && `${alt}: не загрузилось`}>
        {tries > 0 && <img key={tries} hidden src={url} alt="" onLoad={() => setBrokenUrl(null)} />}
      </SilhouetteBox>
    );
  }
  return (
    <img
      className={className}
      style={style}
      src={url}
      alt={alt}
      loading={isLazy ? 'lazy' : undefined}
      decoding="async"
      draggable={false}
      onError={() => {
        setBrokenUrl(url);
        onBroken?.();
      }}
    />
  );
}

interface SilhouetteBoxProps {
  className?: string;
  /** For who cannot see it. */
  label?: string;
  children?: ReactNode;
}

/** Takes the place of a picture, in its size. */
export function SilhouetteBox({ className = 'ph', label, children }: SilhouetteBoxProps) {
  return (
    <span className={`${className} sil-box`} {...(label && { role: 'img', 'aria-label': label })}>
      <img className="sil" src={silhouette} alt="" />
      {children}
    </span>
  );
}

const FIRST_PAUSE_MS = 5_000;
const MAX_TIMED_TRIES = 5;

/** Counts the tries to load a broken picture again. Each pause is twice as long as the one before. */
function useTries(isBroken: boolean): number {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isBroken) return setTries(0);
    return subscribeConnection(() => hasConnection() && setTries((count) => count + 1));
  }, [isBroken]);
  useEffect(() => {
    if (!isBroken || tries >= MAX_TIMED_TRIES) return;
    const timer = setTimeout(() => setTries(tries + 1), FIRST_PAUSE_MS * 2 ** tries);
    return () => clearTimeout(timer);
  }, [isBroken, tries]);
  return tries;
}

import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import { backOffMs } from '#shared/rules/back-off.ts';

export interface ResultPictureProps {
  url: string;
  alt: string;
  className?: string;
  style?: CSSProperties;
  isLazy?: boolean;
  /** Called after each try to load the picture that failed. */
  onBroken?: () => void;
  /** Stands over the silhouette. Gets what loads the picture again at once, and whether it is being loaded. */
  whileBroken?: (tryAgain: () => void, isTrying: boolean) => ReactNode;
}

/**
 * A picture of ours, or a silhouette while it cannot be loaded. Loading is tried again when the connection is back, and
 * after pauses: the server may be starting, or its storage away.
 */
export function ResultPicture({
  url,
  alt,
  className = 'ph',
  style,
  isLazy = false,
  onBroken,
  whileBroken,
}: ResultPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const [failedTry, setFailedTry] = useState(0);
  const [tries, tryAgain] = useTries(brokenUrl === url);
  const fail = (failed: number) => {
    setFailedTry(failed);
    onBroken?.();
  };
  if (brokenUrl === url) {
    return (
      <>
        <SilhouetteBox className={className} label={alt && describeNotLoaded(alt)}>
          {tries > 0 && (
            <img key={tries} hidden src={url} alt="" onLoad={() => setBrokenUrl(null)} onError={() => fail(tries)} />
          )}
        </SilhouetteBox>
        {whileBroken?.(tryAgain, tries > failedTry)}
      </>
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
        fail(0);
      }}
    />
  );
}

/** «Пальто: не загрузилось» */
export function describeNotLoaded(name: string): string {
  return `${name}: не загрузилось`;
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

const PAUSES = { firstMs: 5_000, longestMs: 80_000 };
const MAX_TIMED_TRIES = 5;

/**
 * Counts the tries to load a broken picture again, and begins one at once when asked. Each pause between timed tries is
 * twice as long as the one before.
 */
function useTries(isBroken: boolean): [tries: number, tryAgain: () => void] {
  const [tries, setTries] = useState(0);
  const tryAgain = () => setTries((count) => count + 1);
  useEffect(() => {
    if (!isBroken) return setTries(0);
    return connection.subscribe(() => hasConnection() && setTries((count) => count + 1));
  }, [isBroken]);
  useEffect(() => {
    if (!isBroken || tries >= MAX_TIMED_TRIES) return;
    const timer = setTimeout(() => setTries(tries + 1), backOffMs(tries, PAUSES));
    return () => clearTimeout(timer);
  }, [isBroken, tries]);
  return [tries, tryAgain];
}

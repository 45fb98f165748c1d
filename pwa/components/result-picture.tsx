import { type CSSProperties, useState } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';

export interface ResultPictureProps {
  url: string;
  alt: string;
  className?: string;
  style?: CSSProperties;
  isLazy?: boolean;
}

/** A picture, or a silhouette if it cannot be loaded. */
export function ResultPicture({ url, alt, className = 'ph', style, isLazy = false }: ResultPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  if (brokenUrl === url) {
    return (
      <span className={`${className} grid place-items-center`} role="img" aria-label={`${alt}: не загрузилось`}>
        <img className="sil h-3/4 max-h-full w-auto" src={silhouette} alt="" />
      </span>
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
      onError={() => setBrokenUrl(url)}
    />
  );
}

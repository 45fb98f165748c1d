import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';

export interface CataloguePictureProps {
  item: CatalogueModel | CatalogueBackground;
  /** Size and crop, also of the placeholder. */
  className: string;
  /** Hidden from screen readers, because the name is beside it. */
  isDecorative?: boolean;
}

/** A picture of the catalogue: AVIF, else WebP, else a placeholder. */
export function CataloguePicture({ item, className, isDecorative = false }: CataloguePictureProps) {
  const [failures, setFailures] = useState(0);
  if (failures > 1) return <Placeholder isModel={'category' in item} className={className} />;
  return (
    <picture className="contents">
      {failures === 0 && <source type="image/avif" srcSet={item.avifUrl} />}
      <img
        // A broken AVIF does not make the browser try the next source, so the element is replaced.
        key={failures}
        src={item.imageUrl}
        width={item.width}
        height={item.height}
        alt={isDecorative ? '' : item.alt}
        loading="lazy"
        decoding="async"
        className={`object-cover bg-sunken ${className}`}
        onError={() => setFailures((count) => count + 1)}
      />
    </picture>
  );
}

function Placeholder({ isModel, className }: { isModel: boolean; className: string }) {
  return (
    <span className={`!grid place-items-center overflow-hidden bg-sunken ${className}`} data-placeholder>
      {isModel ? (
        <img src={silhouette} alt="" className="sil h-[86%] w-auto" />
      ) : (
        <ImageOff className="ic ic-l text-subtle" />
      )}
    </span>
  );
}

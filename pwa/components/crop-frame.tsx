import type { ReactNode } from 'react';

/** Crop marks around the working picture. */
export function CropFrame({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <div className={`crop ${className}`}>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      {children}
    </div>
  );
}

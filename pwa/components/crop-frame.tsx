import type { CSSProperties, ReactNode } from 'react';

export interface CropFrameProps {
  className?: string;
  style?: CSSProperties;
  children: ReactNode;
}

/** Crop marks around the picture that is being worked on. */
export function CropFrame({ className = '', style, children }: CropFrameProps) {
  return (
    <div className={`crop ${className}`} style={style}>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      {children}
    </div>
  );
}

import { TriangleAlert } from 'lucide-react';

export interface DriftTagProps {
  /** «Проверьте принт» */
  text: string;
}

/** Marks a result whose garment differs from the photo. */
export function DriftTag({ text }: DriftTagProps) {
  return (
    <span className="tag warn mt-1">
      <TriangleAlert className="ic ic-s !size-3" />
      {text}
    </span>
  );
}

import { OctagonAlert, TriangleAlert } from 'lucide-react';

/** One line about the photo below its card. */
export function PhotoWarning({ tone, text }: { tone: 'warning' | 'danger'; text: string }) {
  const Icon = tone === 'danger' ? OctagonAlert : TriangleAlert;
  return (
    <p
      className={`flex gap-2 text-sm mt-2 ${tone === 'danger' ? 'text-danger' : 'text-warning'}`}
      role={tone === 'danger' ? 'alert' : 'status'}
    >
      <Icon className="ic ic-s mt-0.5" />
      {text}
    </p>
  );
}

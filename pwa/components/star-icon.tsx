/** The star symbol of the currency, in the size of the surrounding text. */
export function StarIcon({ className = '' }: { className?: string }) {
  return (
    <svg className={`star ${className}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 1.8l2.9 6.6 7.1.7-5.4 4.7 1.6 7L12 17.1 5.8 20.8l1.6-7L2 9.1l7.1-.7z" />
    </svg>
  );
}

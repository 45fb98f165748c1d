/** The runway mark: П with the red thread. */
export function BrandMark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true">
      <path d="M4 23 8 4h10l4 19" fill="none" stroke="currentColor" strokeWidth="2.4" />
      <path
        className="stroke-[var(--logo-thread,var(--color-thread))]"
        d="M13 8v16"
        strokeWidth="2.4"
        strokeDasharray="5 2.4"
      />
    </svg>
  );
}

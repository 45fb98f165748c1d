export interface StitchProgressProps {
  /** Share done, 0 to 1; null or absent: work in progress of unknown extent. */
  value?: number | null;
  /** Read out; without it the stitch is decoration. */
  label?: string;
  /** Does not move: the work has stopped or waits. */
  still?: boolean;
  className?: string;
}

/** The red thread: work is in progress. */
export function StitchProgress({ value = null, label, still = false, className = '' }: StitchProgressProps) {
  const share = value === null ? null : Math.min(1, Math.max(0, value));
  const progress = label && {
    role: 'progressbar',
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': share === null ? undefined : Math.round(share * 100),
  };
  return (
    <div className={`h-[3px] ${className}`} {...progress}>
      <div
        className={`stitch transition-[width] duration-300 ${still ? 'still' : ''}`}
        style={share === null ? undefined : { width: `${share * 100}%` }}
      />
    </div>
  );
}

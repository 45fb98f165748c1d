export interface StitchProgressProps {
  /** The finished share, 0 to 1. Null or absent: the progress is unknown. */
  value?: number | null;
  /** Read out by screen readers. Without it the stitch is decoration. */
  label?: string;
  /** Stops the animation, because the work has stopped or waits. */
  still?: boolean;
  className?: string;
}

/** A progress bar in the form of a red thread. */
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

/** A grey block of the final size. It appears only when the wait is longer than 200 ms. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`skel ${className}`} aria-hidden="true" />;
}

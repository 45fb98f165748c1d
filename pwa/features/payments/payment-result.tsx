import type { ReactNode } from 'react';

export interface PaymentResultProps {
  /** An icon of class `ic ic-l`. */
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  /** Buttons, one below the other. */
  actions: ReactNode;
}

/** The layout of the payment result pages. */
export function PaymentResult({ icon, title, children, actions }: PaymentResultProps) {
  return (
    <div className="flex justify-center px-5 py-10 md:py-24">
      <div className="w-full max-w-[480px]">
        <div aria-live="polite">
          {icon}
          <h1 className="ptitle mt-5">{title}</h1>
          {children}
        </div>
        <div className="grid gap-2 mt-8">{actions}</div>
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { dismissToast } from '#pwa/components/toast.ts';
import { buildPasswordResetPath } from '#pwa/paths.ts';

export interface PasswordResetLinkProps {
  /** What was typed as the address so far. */
  email: string;
  className?: string;
  children: ReactNode;
}

/** Leads to the reset of the password with the typed address, and from there to where the person was going. */
export function PasswordResetLink({ email, className = '', children }: PasswordResetLinkProps) {
  return (
    <Link
      to={buildPasswordResetPath(useLocation().search)}
      state={{ email }}
      className={`link ${className}`}
      // The toast says why the sign-in or the registration failed.
      onClick={() => dismissToast()}
    >
      {children}
    </Link>
  );
}

/** The address that the link has brought along; empty when there is none. */
export function readTypedEmail(state: unknown): string {
  return state instanceof Object && 'email' in state && typeof state.email === 'string' ? state.email : '';
}

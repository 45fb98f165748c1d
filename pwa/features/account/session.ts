import type { User } from '#shared/contract/account.ts';

/** Who is using this tab, as the guards and the header need it. */
export type Session =
  | { status: 'loading' }
  | { status: 'signed_out'; leftByChoice: boolean }
  /** `user` is null while the server cannot be asked: offline, the device's marker is trusted. */
  | { status: 'signed_in'; userId: number; name: string; user: User | null };

import type { User } from '#shared/contract/account.ts';

/** Who is using this tab, as the guards and the header need it. */
export type Session =
  /** The server is being asked; `name` is that of the person it is about, where the device knows it. */
  | { status: 'loading'; name: string | null }
  /** Somebody is signed in here; only the server knows who, and it does not answer. */
  | { status: 'unanswered' }
  | { status: 'signed_out'; leftByChoice: boolean }
  /** `user` is null while the server cannot be asked: offline, the device's marker is trusted. */
  | { status: 'signed_in'; userId: number; name: string; user: User | null };

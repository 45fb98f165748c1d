import type { User } from '#shared/contract/account.ts';

/** Who is using this tab, as the guards and the header need it. */
export type Session =
  /** The server is being asked. `name` is the person's, if the device knows it. */
  | { status: 'loading'; name: string | null }
  /** Somebody is signed in, but the server, which alone knows who, does not answer. */
  | { status: 'unanswered' }
  | { status: 'signed_out'; leftByChoice: boolean }
  /** `user` is null while the server cannot be asked: without a network the device's marker is trusted. */
  | { status: 'signed_in'; userId: number; name: string; user: User | null };

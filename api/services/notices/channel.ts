import type { Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { NoticeChannel as NoticeChannelName } from '#prisma/generated/enums.ts';
import type { Ending } from './words.ts';

/** Older news is not sent any more, neither by us nor by a push service. */
export const NOTICE_LIFETIME_MS = 24 * 3_600_000;

/** What somebody is told: how a generation of theirs ended. */
export interface News extends Ending {
  generationId: string;
  accountId: number;
  /** Of the notice: the same whenever it is sent again. */
  noticeId: string;
  /** Absolute address of the result. */
  address: string;
}

export type NoticeOutcome =
  | { state: 'sent' }
  /** This address cannot be told. `isGone`: it never will be again, so that another channel may take its place. */
  | { state: 'dropped'; isGone: boolean; detail: string }
  /** To be tried again, not before `retryAfterSeconds` where that is known. */
  | { state: 'later'; retryAfterSeconds: number | null; detail: string };

/** One way of telling. A new one is a value of the enum NoticeChannel and an entry of NOTICE_CHANNELS. */
export interface NoticeChannel {
  readonly name: NoticeChannelName;
  /** Used only for an account that no other channel reaches. */
  readonly isFallback: boolean;
  /**
   * What a crash in the middle of sending leads to. `at_least_once`: it is sent again, because the receiver shows the
   * same news once. `at_most_once`: it is not, because twice would be worse than not at all.
   */
  readonly delivery: 'at_least_once' | 'at_most_once';
  /** Whether it waits a moment and spares whoever sees the end on an open page; otherwise it was asked for and tells at once. */
  readonly yieldsToPage: boolean;
  /** Whom to tell; each address becomes a notice and a job of its own. */
  listTargets(
    app: Pick<AppContext, 'telegram'>,
    tx: Tx,
    generation: { id: string; accountId: number },
  ): Promise<string[]>;
  /** Tells one address. What it throws counts as `later`. */
  send(app: AppContext, news: News, target: string): Promise<NoticeOutcome>;
}

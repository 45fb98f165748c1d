import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { NoticeChannel as NoticeChannelName } from '#prisma/generated/enums.ts';
import { FAILURES, type GenerationFailureCode, readFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { RESULT_WORDS, type ResultKind } from '#shared/rules/tools.ts';

/** News older than this is dropped, by us and by push services. */
export const NOTICE_LIFETIME_MS = 24 * 3_600_000;

export interface News {
  accountId: number;
  /** The id of the notice: the same at every attempt. */
  noticeId: string;
  title: string;
  body: string;
  /** Where the person sees it, and what the link there is called. */
  address: string;
  linkText: string;
  /** The id of the generation or the batch: later news about it replace earlier ones. */
  topicId: string;
  /** Null for news about a batch. */
  generationId: string | null;
  /** Null for news about a generation. `occasion`: as the notice has it. */
  batch: { id: string; occasion: string } | null;
}

export type NoticeOutcome =
  | { state: 'sent' }
  /** This address cannot be reached. `isGone`: for good, so that another channel may take its place. */
  | { state: 'dropped'; isGone: boolean; detail: string }
  /** Try again, not before `retryAfterSeconds` if that is known. */
  | { state: 'later'; retryAfterSeconds: number | null; detail: string };

/** What a notice is about, and whose it is. */
export interface NoticeSubject {
  accountId: number;
  /** Null for news about a batch. */
  generationId: string | null;
  /** Null for news about a generation. */
  batchId: string | null;
}

/** One way to notify people. A new one needs a value of the enum NoticeChannel and an entry in NOTICE_CHANNELS. */
export interface NoticeChannel {
  readonly name: NoticeChannelName;
  /** Used only for an account that no other channel reaches. */
  readonly isFallback: boolean;
  /**
   * What happens after a crash during sending. `at_least_once`: the notice is sent again, because the receiver shows
   * the same news only once. `at_most_once`: it is not sent again, because a second copy would be worse than none.
   */
  readonly delivery: 'at_least_once' | 'at_most_once';
  /** Whether it waits a moment and skips a person who sees the result on an open page. Otherwise it sends at once. */
  readonly yieldsToPage: boolean;
  listTargets(app: Pick<AppContext, 'telegram'>, tx: Tx, about: NoticeSubject): Promise<string[]>;
  /** Notifies one address. An error counts as `later`. */
  send(app: AppContext, news: News, target: string): Promise<NoticeOutcome>;
}

interface Ending {
  made: ResultKind;
  isCompleted: boolean;
  failureCode: string | null;
  /** No stars were held for it. */
  isFree: boolean;
}

/** Title and text of a notice about an ended generation. Every channel uses these words. */
export function describeEnding({ made, isCompleted, failureCode, isFree }: Ending): { title: string; body: string } {
  if (isCompleted) return { title: RESULT_WORDS[made].notice.completed, body: 'Откройте, чтобы посмотреть и скачать.' };
  const { reason, advice } = describeReason(failureCode === null ? null : readFailureCode(failureCode));
  const back = isFree ? 'Звёзды за переделку не списывались' : 'Звёзды вернулись на баланс';
  const body = `${[reason, back].filter(Boolean).join('. ')}${advice ? `, ${advice}` : ''}.`;
  return { title: RESULT_WORDS[made].notice.failed, body };
}

/** Only what its owner can act on. */
function describeReason(code: GenerationFailureCode | null): { reason: string | null; advice: string | null } {
  switch (code) {
    case 'photo_unsuitable':
      return { reason: 'Это фото не подошло, попробуйте другое', advice: null };
    case 'content_refused':
      return {
        reason: 'Сервис генерации не принял это фото: возьмите другое, со взрослым человеком в обычной одежде',
        advice: null,
      };
    case 'engine_error':
    case 'timed_out':
    case 'cancelled':
    case null:
      return { reason: null, advice: null };
    default:
      return FAILURES[code];
  }
}

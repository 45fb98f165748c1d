/** At most `max` attempts within a window that begins with the first one. */
export interface Limit {
  /** Attempts with the same name and the same subject are counted together. */
  name: string;
  max: number;
  seconds: number;
  /** The text of a refusal, with the wait in words («через 5 минут»). Without it: too many requests. */
  tell?: (wait: string) => string;
}

export interface RequestLimit extends Pick<Limit, 'max' | 'seconds'> {
  /**
   * Which requests are counted together: those of an account (of an address for visitors), unless set. `site`: those of
   * an address, and for IPv6 of a whole /48, which one customer may get.
   */
  per?: 'account' | 'address' | 'site';
  /** Counts only requests with a valid body. */
  countsValidOnly?: boolean;
  /** All processes count together, in the database. Without it each counts in its memory. */
  isShared?: boolean;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const CODE_LIFETIME_SECONDS = 10 * MINUTE;

const tellWrongCodes = (wait: string) => `Слишком много неверных кодов. Повторите ${wait} или запросите новый код`;

/** What services count. All processes count together, except `groupAnswers`. */
export const LIMITS = {
  /** Wrong passwords, by e-mail and known device, or by e-mail and site. A right one clears them. */
  signIn: {
    name: 'sign-in',
    max: 10,
    seconds: 15 * MINUTE,
    tell: (wait) => `Слишком много неверных паролей. Повторите ${wait} или восстановите пароль`,
  },
  /** The pauses after them, by the same. Each is longer than the one before. */
  signInPauses: { name: 'sign-in-pauses', max: 1_000_000, seconds: DAY },
  /** Wrong passwords by e-mail from everywhere, so that many addresses do not guess together. */
  signInForEmail: {
    name: 'sign-in-for-email',
    max: 100,
    seconds: HOUR,
    tell: (wait) =>
      `Слишком много попыток войти с этим email. Повторите ${wait}, войдите с устройства, на котором уже входили, или восстановите пароль`,
  },
  /** Wrong current passwords, by account. Somebody with a borrowed session must not guess the password. */
  ownPassword: {
    name: 'own-password',
    max: 10,
    seconds: 15 * MINUTE,
    tell: (wait) => `Слишком много неверных паролей. Повторите ${wait}`,
  },
  /** Wrong codes of an administrator, by account. Who knows the password must not guess six digits. */
  secondFactor: {
    name: 'second-factor',
    max: 5,
    seconds: 15 * MINUTE,
    tell: (wait) => `Слишком много неверных кодов. Повторите ${wait}`,
  },
  /** Corrected addresses of an unconfirmed account, including taken ones. Correcting a typo needs one or two. */
  emailCorrection: { name: 'email-correction', max: 10, seconds: HOUR },
  /** Reset codes that are asked for, by e-mail and known device, or by e-mail and site. */
  resetResend: { name: 'reset-resend', max: 1, seconds: MINUTE },
  /**
   * One place for a reset code, by e-mail and place, whoever asks, so that nobody floods a mailbox. A place is taken for
   * as long as a code is valid, so whoever finds none has valid codes in the mailbox. A known device has its own places.
   */
  resetMails: {
    name: 'reset-mails',
    max: 1,
    seconds: CODE_LIFETIME_SECONDS,
    tell: (wait) =>
      `На этот email запросили слишком много кодов. Введите код из последнего письма или запросите новый ${wait}`,
  },
  /** Guesses by the browser's handle. Each new code begins anew. */
  resetHandle: { name: 'reset-handle', max: 5, seconds: CODE_LIFETIME_SECONDS },
  /** Guesses without a handle, or with one whose tries are used up, by site. They are compared with every valid code. */
  resetAddress: { name: 'reset-address', max: 10, seconds: HOUR, tell: tellWrongCodes },
  /**
   * Such guesses by e-mail, so that many addresses do not guess together: at three codes of 32^6 a hit takes 350,000
   * hours. Ten addresses must not be enough to keep the owner out.
   */
  resetAddresses: { name: 'reset-addresses', max: 1000, seconds: HOUR, tell: tellWrongCodes },
  /** Accounts that get their first stars, by site. An office may register as many in an hour. */
  signupStars: { name: 'signup-stars', max: 30, seconds: DAY },
  /** Uploaded photos, by account. At least 60 a minute are allowed. */
  upload: { name: 'upload', max: 90, seconds: MINUTE },
  /** Starts, by account and tool. At least 60 a minute are allowed. */
  start: { name: 'start', max: 120, seconds: MINUTE },
  /** Events of analytics, by network. More than a person causes. */
  analyticsEvents: { name: 'analytics-events', max: 30, seconds: MINUTE },
  /** Answers of the bot in one group, which say that it works only in private chats. Counted in the process. */
  groupAnswers: { name: 'group-answers', max: 1, seconds: HOUR },
} satisfies Record<string, Limit>;

const SUBMITTED_CODE: RequestLimit = { max: 60, seconds: 15 * MINUTE, countsValidOnly: true, isShared: true };

/** What routes count before they do anything, each route for itself. */
export const REQUEST_LIMITS = {
  /** Of a route that names no limit. */
  any: { max: 1200, seconds: MINUTE },
  /** Offices and mobile networks share an address. Wrong passwords have limits of their own. */
  signIn: { max: 60, seconds: MINUTE, per: 'address', isShared: true },
  /** Calls whose answer reveals whether an e-mail is taken. An office may need 30 registrations an hour. */
  newAddress: { max: 40, seconds: HOUR, per: 'site', countsValidOnly: true, isShared: true },
  code: SUBMITTED_CODE,
  reset: { ...SUBMITTED_CODE, per: 'address' },
  settings: { max: 30, seconds: MINUTE },
  /** Each export reads all data of the account. The page first sends HEAD, which counts, too. */
  accountExport: { max: 10, seconds: HOUR },
  /** Each invoice is a call to the provider. */
  invoice: { max: 60, seconds: MINUTE, countsValidOnly: true },
  invoiceLookup: { max: 300, seconds: MINUTE, per: 'address' },
  telegramLink: { max: 20, seconds: MINUTE },
  telegramPartByLink: { max: 20, seconds: MINUTE, per: 'address' },
  /** Photos that a process looks at. The transaction that stores a photo counts those of all processes. */
  upload: { max: LIMITS.upload.max, seconds: LIMITS.upload.seconds },
  /** Starts that a process looks at. The transaction of a start counts those of all processes. */
  start: { max: LIMITS.start.max, seconds: LIMITS.start.seconds },
  /** New products, changes of products, names, and of what belongs to which. */
  products: { max: 120, seconds: MINUTE },
  /** Changes of batches and of their rows. A page that uploads sends one for each photo beside. */
  batches: { max: 300, seconds: MINUTE },
  /** New sets of settings and new names of sets. */
  settingSets: { max: 60, seconds: MINUTE },
  /** Searches of a list, beside its own limit. Each may look at many rows; a person who types causes some in a burst. */
  search: { max: 120, seconds: MINUTE },
  /** A result that is picked becomes a photo, as an upload does. */
  pick: { max: 90, seconds: MINUTE },
  /** The page first sends HEAD, which counts, too. */
  archive: { max: 40, seconds: MINUTE },
  /** Each pause while a template is typed is followed by a preview for each of three marketplaces. */
  packs: { max: 180, seconds: MINUTE },
  resultExport: { max: 30, seconds: MINUTE },
  videoAnalysis: { max: 10, seconds: MINUTE },
  videoPreparation: { max: 30, seconds: MINUTE },
  report: { max: 40, seconds: HOUR, countsValidOnly: true },
  interview: { max: 10, seconds: MINUTE },
  /** Every start of a page registers its subscription again. */
  pushSubscription: { max: 60, seconds: MINUTE },
  /** A browser whose stream of events breaks reconnects with growing pauses. */
  eventStream: { max: 120, seconds: MINUTE },
} satisfies Record<string, RequestLimit>;

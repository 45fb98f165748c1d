import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const FAKE_TOKEN = '123456:fake-token-of-a-telegram-bot';

/** Telegram gives bots files up to this size. */
const DOWNLOAD_MAX_BYTES = 20 * 1024 * 1024;
const UPLOAD_MAX_BYTES = 50 * 1024 * 1024;
const PHOTO_MAX_BYTES = 10 * 1024 * 1024;

export interface FakeButton {
  text: string;
  callback_data?: string;
  url?: string;
}

/** A message of the bot in its current state. */
export interface FakeMessage {
  chatId: number;
  messageId: number;
  kind: 'text' | 'photo' | 'video' | 'document' | 'invoice';
  text: string;
  buttons: FakeButton[];
  /** Such a message can be neither forwarded nor saved. */
  isProtected: boolean;
  fileId: string | null;
  /** Every text that it has had. */
  history: string[];
  invoice?: { payload: string; currency: string; prices: { label: string; amount: number }[] };
}

export interface FakeCall {
  method: string;
  payload: Record<string, unknown>;
  refused?: string;
}

export interface FakeState {
  calls: FakeCall[];
  messages: FakeMessage[];
  files: Map<string, { content: Buffer; size: number; name?: string }>;
  webhook: { url: string; secretToken: string } | null;
  /** Chats whose person has blocked the bot. */
  blockedBy: Set<number>;
  refundedCharges: Set<string>;
  /** Oldest first. */
  starTransactions: Record<string, unknown>[];
  nextMessageId: number;
  /** The server that the webhook's public address leads to. Null: the address itself. */
  behindWebhook: string | null;
  /** `--local` mode: the folder of the files as the server names it, and as everybody else sees it. */
  localFiles: { asServer: string; asSeen: string } | null;
  /** A buffering proxy stands before it: `getUpdates` is answered at once. */
  answersAtOnce: boolean;
  /** When updates were asked for, by `performance.now()`. */
  polledAt: number[];
  /** How often somebody asked for updates while another one still listened, who is refused then (409). */
  conflicts: number;
}

export class RefusedError extends Error {
  readonly status: number;
  readonly description: string;
  constructor(status: number, description: string) {
    super(description);
    this.status = status;
    this.description = description;
  }
}

const CHAT = { first_name: 'Покупатель', type: 'private' } as const;
export const FAKE_BOT = { id: 123456, is_bot: true, first_name: 'Подиум', username: 'podium_fake_bot' } as const;

/** Applies a call to the state and returns Telegram's answer. Throws RefusedError. */
export function answerMethod(state: FakeState, method: string, payload: Record<string, unknown>): unknown {
  switch (method) {
    case 'getMe':
      return { ...FAKE_BOT, can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: false };
    case 'setWebhook':
      if (!String(payload.url).startsWith('http')) throw bad('bad webhook: An HTTPS URL must be provided');
      state.webhook = { url: String(payload.url), secretToken: String(payload.secret_token ?? '') };
      return true;
    case 'getWebhookInfo':
      return { url: state.webhook?.url ?? '', has_custom_certificate: false, pending_update_count: 0 };
    case 'deleteWebhook':
      state.webhook = null;
      return true;
    case 'setMyCommands':
    case 'setChatMenuButton':
    case 'setMyDescription':
    case 'answerPreCheckoutQuery':
      return true;
    case 'sendChatAction':
      assertReachable(state, payload);
      return true;
    case 'answerCallbackQuery':
      if (String(payload.text ?? '').length > 200) throw bad('MESSAGE_TOO_LONG');
      return true;
    case 'getFile':
      return getFile(state, String(payload.file_id));
    case 'sendMessage':
      return present(add(state, payload, { kind: 'text', text: readText(payload.text, 4096) }));
    case 'sendInvoice':
      if (payload.currency === 'XTR' && (payload.prices as unknown[]).length !== 1) throw bad('STARS_INVOICE_INVALID');
      return present(
        add(state, payload, {
          kind: 'invoice',
          text: readText(payload.description, 255),
          invoice: payload as unknown as NonNullable<FakeMessage['invoice']>,
        }),
      );
    case 'sendVideo':
      return present(add(state, payload, { kind: 'video', ...keepFile(state, payload.video, UPLOAD_MAX_BYTES) }));
    case 'sendPhoto':
      return present(add(state, payload, { kind: 'photo', ...keepFile(state, payload.photo, PHOTO_MAX_BYTES) }));
    case 'sendDocument':
      return present(add(state, payload, { kind: 'document', ...keepFile(state, payload.document, UPLOAD_MAX_BYTES) }));
    case 'sendMediaGroup':
      return sendMediaGroup(state, payload);
    case 'editMessageText':
      return edit(state, payload, 'text');
    case 'editMessageCaption':
      return edit(state, payload, 'caption');
    case 'editMessageMedia':
      return editMedia(state, payload);
    case 'getStarTransactions': {
      const [offset, limit] = [Number(payload.offset ?? 0), Number(payload.limit ?? 100)];
      return { transactions: state.starTransactions.slice(offset, offset + limit) };
    }
    case 'refundStarPayment': {
      const charge = String(payload.telegram_payment_charge_id);
      if (state.refundedCharges.has(charge)) throw bad('CHARGE_ALREADY_REFUNDED');
      state.refundedCharges.add(charge);
      addRefund(state, charge);
      return true;
    }
    default:
      throw new RefusedError(404, `Not Found: method ${method} is not known`);
  }
}

/** Adds a refund. It has the id of the payment, with source and receiver exchanged. */
export function addRefund(state: FakeState, charge: string): void {
  const { source, ...paid } = state.starTransactions.find(({ id }) => id === charge) ?? {};
  state.starTransactions.push({ ...paid, date: Math.floor(Date.now() / 1000), receiver: source });
}

function bad(description: string): RefusedError {
  return new RefusedError(400, `Bad Request: ${description}`);
}

function assertReachable(state: FakeState, { chat_id }: Record<string, unknown>): void {
  if (state.blockedBy.has(Number(chat_id))) throw new RefusedError(403, 'Forbidden: bot was blocked by the user');
}

function readText(value: unknown, limit: number): string {
  const text = String(value ?? '');
  if (text === '') throw bad('message text is empty');
  if (text.length > limit) throw bad('message is too long');
  return text;
}

function readButtons({ reply_markup }: Record<string, unknown>): FakeButton[] {
  const rows = (reply_markup as { inline_keyboard?: FakeButton[][] } | undefined)?.inline_keyboard ?? [];
  if (rows.some((row) => row.length === 0)) throw bad('inline keyboard has an empty row');
  const buttons = rows.flat();
  for (const { callback_data, url, text } of buttons) {
    if (text === '') throw bad('Text buttons are unallowed in the inline keyboard');
    if (callback_data !== undefined && Buffer.byteLength(callback_data) > 64) throw bad('BUTTON_DATA_INVALID');
    if (url !== undefined && !/^(https:\/\/|tg:)/.test(url)) throw bad('BUTTON_URL_INVALID');
  }
  return buttons;
}

function add(
  state: FakeState,
  payload: Record<string, unknown>,
  content: Pick<FakeMessage, 'kind'> & Partial<FakeMessage>,
): FakeMessage {
  assertReachable(state, payload);
  const text = content.text ?? (payload.caption === undefined ? '' : readText(payload.caption, 1024));
  const message: FakeMessage = {
    chatId: Number(payload.chat_id),
    messageId: state.nextMessageId++,
    text,
    buttons: readButtons(payload),
    isProtected: payload.protect_content === true,
    fileId: null,
    history: [text],
    ...content,
  };
  state.messages.push(message);
  return message;
}

/** Stores an uploaded file under a new id. A given id must be known. */
function keepFile(state: FakeState, value: unknown, maxBytes: number): { fileId: string } {
  if (typeof value === 'string') {
    if (!state.files.has(value)) throw bad('wrong file identifier/HTTP URL specified');
    return { fileId: value };
  }
  const { content, name = '' } = (value ?? {}) as { content?: Buffer; name?: string };
  if (!content || content.length === 0) throw bad('file must be non-empty');
  if (content.length > maxBytes) throw new RefusedError(413, 'Request Entity Too Large');
  const fileId = `sent-${randomBytes(6).toString('hex')}`;
  state.files.set(fileId, { content, size: content.length, name });
  return { fileId };
}

function sendMediaGroup(state: FakeState, payload: Record<string, unknown>): unknown[] {
  const media = payload.media as {
    type: 'photo' | 'document' | 'video';
    media: unknown;
    caption?: string;
  }[];
  if (media.some(({ type }) => type === 'document') && media.some(({ type }) => type !== 'document')) {
    throw bad("Document can't be mixed with other media types");
  }
  if (media.length < 2 || media.length > 10) throw bad('Wrong number of media in the album');
  return media.map(({ type, media: file, caption }) =>
    present(add(state, { ...payload, caption }, { kind: type, ...keepFile(state, file, UPLOAD_MAX_BYTES) })),
  );
}

function edit(state: FakeState, payload: Record<string, unknown>, what: 'text' | 'caption'): unknown {
  const message = findEdited(state, payload);
  if ((message.kind === 'text') !== (what === 'text')) throw bad(`there is no ${what} in the message to edit`);
  const [text, buttons] = [readText(payload[what], what === 'text' ? 4096 : 1024), readButtons(payload)];
  if (text === message.text && JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
    throw bad('message is not modified: specified new message content and reply markup are exactly the same');
  }
  Object.assign(message, { text, buttons });
  message.history.push(text);
  return present(message);
}

/** A text message may become a picture with a caption, but not the other way round. */
function editMedia(state: FakeState, payload: Record<string, unknown>): unknown {
  const message = findEdited(state, payload);
  const { type, media, caption } = payload.media as { type: 'photo'; media: unknown; caption?: string };
  const [text, buttons] = [readText(caption, 1024), readButtons(payload)];
  Object.assign(message, { kind: type, text, buttons, ...keepFile(state, media, PHOTO_MAX_BYTES) });
  message.history.push(text);
  return present(message);
}

function findEdited(state: FakeState, payload: Record<string, unknown>): FakeMessage {
  assertReachable(state, payload);
  const message = state.messages.find(
    ({ chatId, messageId }) => chatId === payload.chat_id && messageId === payload.message_id,
  );
  if (!message) throw bad('message to edit not found');
  return message;
}

function getFile(state: FakeState, fileId: string) {
  const file = state.files.get(fileId);
  if (!file) throw bad('invalid file_id');
  const facts = { file_id: fileId, file_unique_id: fileId, file_size: file.size };
  if (state.localFiles) {
    const { asServer, asSeen } = state.localFiles;
    const place = path.join(FAKE_TOKEN, 'documents', fileId);
    mkdirSync(path.dirname(path.join(asSeen, place)), { recursive: true });
    writeFileSync(path.join(asSeen, place), file.content);
    return { ...facts, file_path: path.join(asServer, place) };
  }
  if (file.size > DOWNLOAD_MAX_BYTES) throw bad('file is too big');
  return { ...facts, file_path: fileId };
}

function present({ chatId, messageId, kind, text, fileId }: FakeMessage): unknown {
  const file = { file_id: fileId, file_unique_id: fileId, width: 90, height: 120, duration: 5 };
  return {
    message_id: messageId,
    date: Math.floor(Date.now() / 1000),
    chat: { id: chatId, ...CHAT },
    from: FAKE_BOT,
    ...(kind === 'text' ? { text } : {}),
    ...(kind === 'video' ? { video: file } : {}),
    ...(kind === 'photo' ? { photo: [file] } : {}),
    ...(kind === 'document' ? { document: file } : {}),
  };
}

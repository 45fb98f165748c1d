import type { FakeTelegram } from './fake-telegram.ts';
import { FAKE_BOT, type FakeMessage } from './fake-telegram-methods.ts';

let users = 5000;

/** A person with a private chat. Their actions become updates, and the chat has the bot's messages. */
export class TelegramChat {
  readonly id: number;
  protected readonly telegram: FakeTelegram;
  readonly from: Record<string, unknown>;
  #queries = 1;

  constructor(telegram: FakeTelegram, id = ++users) {
    this.id = id;
    this.telegram = telegram;
    this.from = { id, is_bot: false, first_name: 'Анна', username: `anna${id}`, language_code: 'ru' };
  }

  get chat() {
    return { id: this.id, type: 'private', first_name: 'Анна' };
  }

  /** Sends any message. Returns the update's id. */
  send(content: Record<string, unknown>): number {
    return this.telegram.push({ message: this.#message(content) });
  }

  say(text: string): number {
    const command = /^\/\w+/.exec(text)?.[0];
    const entities = command ? [{ type: 'bot_command', offset: 0, length: command.length }] : [];
    return this.send({ text, ...(command ? { entities } : {}) });
  }

  edit(text: string): number {
    return this.telegram.push({ edited_message: { ...this.#message({ text }), edit_date: 1 } });
  }

  /** Sends a photo, which Telegram offers in several sizes. */
  sendPhoto(content: Buffer, extra: Record<string, unknown> = {}): number {
    const small = this.telegram.addFile(Buffer.from('a small copy that nobody should want'));
    const size = (file_id: string, width: number, height: number) => ({
      file_id,
      file_unique_id: file_id,
      width,
      height,
      file_size: this.telegram.files.get(file_id)?.size,
    });
    return this.send({ photo: [size(small, 90, 120), size(this.telegram.addFile(content), 960, 1280)], ...extra });
  }

  sendFile(
    content: Buffer,
    options: { mime?: string | undefined; name?: string; size?: number; isSizeHidden?: boolean } = {},
    extra: Record<string, unknown> = {},
  ): number {
    // Without a given type, Telegram does not name one either.
    const { name = 'photo.jpg', size = content.length, isSizeHidden = false } = options;
    const file_id = this.telegram.addFile(content, size);
    const mime = 'mime' in options ? options.mime : 'image/jpeg';
    const document = { file_id, file_unique_id: file_id, file_name: name, ...(mime ? { mime_type: mime } : {}) };
    return this.send({ document: { ...document, ...(isSizeHidden ? {} : { file_size: size }) }, ...extra });
  }

  /** Sends a WebP as a file: Telegram makes a sticker of it, which stands in no set. */
  sendWebpFile(content: Buffer): number {
    const file_id = this.telegram.addFile(content);
    const facts = { type: 'regular', width: 512, height: 512, is_animated: false, is_video: false };
    return this.send({ sticker: { file_id, file_unique_id: file_id, file_size: content.length, ...facts } });
  }

  /** Presses a button of the newest message that has it. Returns the update's id. */
  press(label: string | RegExp): number {
    for (const message of [...this.messages()].reverse()) {
      const button = message.buttons.find(({ text }) =>
        typeof label === 'string' ? text === label : label.test(text),
      );
      if (button?.callback_data) return this.pressData(message, button.callback_data);
    }
    throw new Error(`no button ${label} in:\n${this.transcript()}`);
  }

  pressData({ messageId, kind = 'text' }: Pick<FakeMessage, 'messageId'> & Partial<FakeMessage>, data: string): number {
    const content = kind === 'photo' ? { photo: [{ file_id: 'p', width: 90, height: 120 }] } : { text: '…' };
    return this.telegram.push({
      callback_query: {
        id: `query-${this.id}-${this.#queries++}`,
        from: this.from,
        chat_instance: 'one',
        data,
        message: { message_id: messageId, date: 1, chat: this.chat, from: FAKE_BOT, ...content },
      },
    });
  }

  /** The bot's messages in this chat, in order. */
  messages(): FakeMessage[] {
    return this.telegram.messages
      .filter(({ chatId }) => chatId === this.id)
      .map((message) => ({
        ...message,
        text: toPlainSpaces(message.text),
        history: message.history.map(toPlainSpaces),
        buttons: message.buttons.map((button) => ({ ...button, text: toPlainSpaces(button.text) })),
      }));
  }

  /** The newest one of them; 0 without any. */
  get lastMessageId(): number {
    return this.messages().at(-1)?.messageId ?? 0;
  }

  /** The notices that answered pressed buttons. */
  notices(): string[] {
    return this.telegram.calls
      .filter(
        ({ method, payload }) =>
          method === 'answerCallbackQuery' && String(payload.callback_query_id).startsWith(`query-${this.id}-`),
      )
      .map(({ payload }) => String(payload.text ?? ''));
  }

  transcript(): string {
    return this.messages()
      .map(({ kind, text, buttons }) => `[${kind}] ${text} ${buttons.map((button) => `<${button.text}>`).join(' ')}`)
      .join('\n');
  }

  #message(content: Record<string, unknown>): Record<string, unknown> {
    return {
      // One counter for both sides, as Telegram has it.
      message_id: this.telegram.nextMessageId++,
      date: Math.floor(Date.now() / 1000),
      chat: this.chat,
      from: this.from,
      ...content,
    };
  }
}

function toPlainSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

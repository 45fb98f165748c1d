import { type Api, Context, GrammyError, type InlineKeyboard, type InputFile } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import type { AppContext } from '#api/services/app-context.ts';
import type { TelegramUser } from '#api/services/chat/users.ts';
import { editMessage, editPicture, type MessagePlace } from './edit-message.ts';
import { sendOnce } from './send-once.ts';
import type { Aside } from './update-dispatcher.ts';

/** Telegram's limit. */
const NOTICE_MAX_LENGTH = 200;

/** One update with its person, and ways to answer it. Handling the update again after a crash sends nothing twice. */
export type BotContext = Pick<UpdateContext, keyof UpdateContext>;

/** grammY maps the type of a context, which a class with private fields does not survive; hence the type above. */
export class UpdateContext extends Context {
  readonly app: AppContext;
  readonly aside: Aside;
  #user: TelegramUser | null = null;
  #accountId: number | null = null;
  #said = 0;
  #isAnswered = false;

  constructor(app: AppContext, update: Update, api: Api, me: UserFromGetMe, aside: Aside = (waiting) => waiting()) {
    super(update, api, me);
    this.app = app;
    this.aside = aside;
  }

  /** The person who writes. Set by `loadTelegramUser`. */
  get user(): TelegramUser {
    if (!this.#user) throw new Error('the person is not known yet');
    return this.#user;
  }
  set user(user: TelegramUser) {
    this.#user = user;
  }

  /** Set by `findAccount`, after the terms were accepted. */
  get accountId(): number {
    if (this.#accountId === null) throw new Error('the terms are not accepted yet');
    return this.#accountId;
  }
  set accountId(id: number) {
    this.#accountId = id;
  }

  /** The chat of the update. It is also the person's id, because the bot works only in private chats. */
  get chatNumber(): number {
    const id = this.chat?.id ?? this.from?.id;
    if (id === undefined) throw new Error('an update without a chat');
    return id;
  }

  /** The cause of the next message. A repeat of the update gives its messages the same causes. */
  nextCause(): { causeKey: string; chatId: number } {
    const albumId = this.message?.media_group_id;
    // An album gets one answer about a problem, however many of its photos have it.
    const cause = albumId ? `album:${this.chatNumber}:${albumId}` : `update:${this.update.update_id}`;
    return { causeKey: `${cause}:${this.#said++}`, chatId: this.chatNumber };
  }

  async say(text: string, keyboard?: InlineKeyboard): Promise<void> {
    await sendOnce(this.app, this.nextCause(), () =>
      this.api.sendMessage(this.chatNumber, text, {
        link_preview_options: { is_disabled: true },
        ...(keyboard ? { reply_markup: keyboard } : {}),
      }),
    );
  }

  async show(text: string, keyboard?: InlineKeyboard): Promise<void> {
    if (this.pressed) await editMessage(this.app, this.api, this.pressed, text, keyboard);
    else await this.say(text, keyboard);
  }

  /** Replaces it with a picture and a text, or with the text alone if Telegram refuses the picture. */
  async showPicture(picture: InputFile, text: string, keyboard: InlineKeyboard): Promise<void> {
    const isShown = this.pressed && (await editPicture(this.app, this.api, this.pressed, picture, text, keyboard));
    if (!isShown) await this.show(text, keyboard);
  }

  /** The message whose button was pressed. Null when Telegram does not show it to bots any more. */
  get pressed(): MessagePlace | null {
    const message = this.callbackQuery?.message;
    if (!message) return null;
    return { chatId: message.chat.id, messageId: message.message_id, isPictured: 'photo' in message };
  }

  /** Answers the pressed button. A text becomes a notice that the person closes. Only the first call counts. */
  async answer(text?: string): Promise<void> {
    if (!this.callbackQuery || this.#isAnswered) return;
    this.#isAnswered = true;
    try {
      await this.api.answerCallbackQuery(this.callbackQuery.id, {
        ...(text ? { text: text.slice(0, NOTICE_MAX_LENGTH), show_alert: true } : {}),
      });
    } catch (error) {
      // Telegram waits only for a while. After a restart that time may be over.
      if (!(error instanceof GrammyError && error.error_code === 400)) throw error;
    }
  }
}

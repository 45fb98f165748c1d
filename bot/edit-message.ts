import { type Api, GrammyError, type InlineKeyboard, type InputFile, InputMediaBuilder } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { markUnreachable } from '#api/services/chat/users.ts';
import { ChatGoneError } from './send-once.ts';
import { isChatGone } from './telegram-errors.ts';

/** The message is gone or cannot show the picture: an older Bot API server, or an extremely long photo. */
const CANNOT_BE_EDITED =
  /message to edit not found|message can't be edited|MESSAGE_ID_INVALID|no media in the message|PHOTO_INVALID|IMAGE_PROCESS_FAILED/i;

export interface MessagePlace {
  chatId: number;
  messageId: number;
  /** Whether the message has a picture, as far as we know. Then its text is a caption. */
  isPictured: boolean;
}

/**
 * Changes the text and buttons of a message. A repeat changes nothing. Returns false when the message is gone. Throws
 * ChatGoneError, and errors when Telegram cannot be reached.
 */
export async function editMessage(
  app: AppContext,
  api: Api,
  { chatId, messageId, isPictured }: MessagePlace,
  text: string,
  keyboard?: InlineKeyboard,
): Promise<boolean> {
  const buttons = keyboard ? { reply_markup: keyboard } : {};
  const editText = () =>
    api.editMessageText(chatId, messageId, text, { link_preview_options: { is_disabled: true }, ...buttons });
  const editCaption = () => api.editMessageCaption(chatId, messageId, { caption: text, ...buttons });
  const [likely, other] = isPictured ? [editCaption, editText] : [editText, editCaption];
  return edit(app, chatId, async () => {
    try {
      await likely();
    } catch (error) {
      if (!isRefusedAs(error, /no (text|caption) in the message/i)) throw error;
      await other();
    }
  });
}

/**
 * Changes a message to a picture with a text. Also returns false when this message cannot show the picture. Throws what
 * editMessage throws.
 */
export function editPicture(
  app: AppContext,
  api: Api,
  { chatId, messageId }: Pick<MessagePlace, 'chatId' | 'messageId'>,
  picture: InputFile,
  text: string,
  keyboard: InlineKeyboard,
): Promise<boolean> {
  return edit(app, chatId, async () => {
    const media = InputMediaBuilder.photo(picture, { caption: text });
    await api.editMessageMedia(chatId, messageId, media, { reply_markup: keyboard });
  });
}

async function edit(app: AppContext, chatId: number, change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (isChatGone(error)) {
      await markUnreachable(app, BigInt(chatId));
      throw new ChatGoneError(error);
    }
    if (isRefusedAs(error, /message is not modified/i)) return true;
    if (isRefusedAs(error, CANNOT_BE_EDITED)) return false;
    throw error;
  }
}

function isRefusedAs(error: unknown, words: RegExp): boolean {
  return error instanceof GrammyError && error.error_code === 400 && words.test(error.description);
}

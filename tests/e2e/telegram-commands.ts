import { z } from 'zod';
import type { AppContext } from '#api/services/app-context.ts';
import type { FakeTelegram } from '#tests/support/fake-telegram.ts';
import { TelegramChat } from '#tests/support/telegram-chat.ts';

const action = z.object({ chatId: z.int(), say: z.string().optional(), press: z.string().optional() });

/** Commands for a person's chat with the bot. */
export function createTelegramCommands(telegram: FakeTelegram) {
  const chats = new Map<number, TelegramChat>();
  return {
    /** Creates a new person: `{chatId}`. */
    'fixture-telegram-person': async () => {
      const chat = new TelegramChat(telegram);
      chats.set(chat.id, chat);
      return { chatId: chat.id };
    },
    /** Says or presses something if asked to. Answers the chat's messages: `{messages: [{text, buttons}]}`. */
    'fixture-telegram': async (_app: AppContext, options: unknown) => {
      const { chatId, say, press } = action.parse(options);
      const chat = chats.get(chatId);
      if (!chat) throw new Error(`nobody has the chat ${chatId}`);
      if (say !== undefined) chat.say(say);
      if (press !== undefined) chat.press(press);
      return {
        messages: chat.messages().map(({ text, buttons }) => ({ text, buttons: buttons.map((button) => button.text) })),
      };
    },
  };
}

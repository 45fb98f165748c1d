import { expect } from 'playwright/test';
import { z } from 'zod';
import { setFixture } from './fixture.ts';

const newPerson = z.object({ chatId: z.int() });
const seen = z.object({ messages: z.array(z.object({ text: z.string(), buttons: z.array(z.string()) })) });

/** A person in the chat with the bot. The fake Telegram runs in the program's process. */
export interface PersonInTelegram {
  say(text: string): Promise<void>;
  press(button: string): Promise<void>;
  /** Waits for a message that matches and returns the newest one. */
  waitFor(text: RegExp): Promise<string>;
}

export async function meetInTelegram(): Promise<PersonInTelegram> {
  const { chatId } = newPerson.parse(await setFixture('fixture-telegram-person', {}));
  const act = async (action: { say?: string; press?: string } = {}) =>
    seen.parse(await setFixture('fixture-telegram', { chatId, ...action })).messages;
  return {
    say: async (text) => void (await act({ say: text })),
    press: async (button) => void (await act({ press: button })),
    async waitFor(text) {
      const find = async () => (await act()).filter((message) => text.test(message.text)).at(-1)?.text;
      await expect.poll(find, { message: String(text), timeout: 30_000 }).toBeDefined();
      return (await find()) ?? '';
    },
  };
}

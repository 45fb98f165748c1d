import type { Api } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { describeTools } from '#api/services/ground/tool-abilities.ts';
import { COMMANDS, describeBot } from './messages.ts';
import { describeTelegramError } from './telegram-errors.ts';

/** The list of commands, the menu button that opens it, and what a newcomer reads. A failure is no reason to stay off. */
export async function introduceBot(app: AppContext, api: Api): Promise<void> {
  try {
    const commands = Object.entries(COMMANDS).map(([command, description]) => ({ command, description }));
    await api.setMyCommands(commands, { scope: { type: 'all_private_chats' } });
    await api.setChatMenuButton({ menu_button: { type: 'commands' } });
    await api.setMyDescription(describeBot(describeTools(app).change));
  } catch (error) {
    app.log.warn(describeTelegramError(error), 'the bot could not introduce itself');
  }
}

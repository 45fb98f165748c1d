import type { Update } from 'grammy/types';

/** Some type «/BALANCE»; what stands behind the command stays as it is. */
export function lowerCommand(update: Update): Update {
  const { message } = update;
  const command = /^\/\w+/.exec(message?.text ?? '')?.[0];
  if (!message?.text || !command) return update;
  return { ...update, message: { ...message, text: command.toLowerCase() + message.text.slice(command.length) } };
}

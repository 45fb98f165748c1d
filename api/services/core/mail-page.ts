import type { Mail } from '#api/adapters/mail/mailer.ts';
import { escapeHtml } from '#api/platform/escape-html.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** A part of a mail that looks different as HTML. */
interface Block {
  text: string;
  html: string;
}

/** The words of a mail. Texts are escaped for HTML, and `html` is not. */
export interface Letter {
  subject: string;
  heading: string;
  paragraphs: (string | Block)[];
  button: { address: string; text: string };
  footnote: string | Block;
  /** Whether the button does what the footnote says. The plain text then names the address after the footnote. */
  isButtonForFootnote?: true;
}

/** Throws when the mail server did not accept it. */
export async function sendLetter({ mailer }: Pick<AppContext, 'mailer'>, to: string, letter: Letter): Promise<void> {
  await mailer.send({ to, ...renderLetter(letter) });
}

function renderLetter(letter: Letter): Omit<Mail, 'to'> {
  const { subject, heading, button } = letter;
  const footnote = toBlock(letter.footnote);
  const ending = letter.isButtonForFootnote ? [footnote.text, button.address] : [button.address, footnote.text];
  const paragraphs = letter.paragraphs.map((paragraph) =>
    typeof paragraph === 'string'
      ? // Mail programs ignore style sheets.
        {
          text: paragraph,
          html: `<p style="margin:0 0 16px;font-size:15px;line-height:1.5">${escapeHtml(paragraph)}</p>`,
        }
      : paragraph,
  );
  return {
    subject,
    text: [heading, ...paragraphs.map(({ text }) => text), ...ending, '«Подиум»'].join('\n\n'),
    html: `<!doctype html>
<html lang="ru">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f2ee;font-family:Arial,Helvetica,sans-serif;color:#1d1b18">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:480px;margin:0 auto;background:#ffffff;border-radius:16px">
<tr><td style="padding:32px">
<p style="margin:0 0 24px;font-size:15px;font-weight:bold">Подиум</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map(({ html }) => html).join('\n')}
<p style="margin:8px 0 24px"><a href="${button.address}" style="display:inline-block;padding:12px 20px;background:#1d1b18;border-radius:10px;color:#ffffff;font-size:15px;text-decoration:none">${button.text}</a></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#6b665e">${footnote.html}</p>
</td></tr>
</table>
</body>
</html>
`,
  };
}

function toBlock(words: string | Block): Block {
  return typeof words === 'string' ? { text: words, html: escapeHtml(words) } : words;
}

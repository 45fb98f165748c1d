import type { Mail } from '#api/adapters/mail/mailer.ts';
import { escapeHtml } from '#api/platform/escape-html.ts';

interface MailPage {
  subject: string;
  heading: string;
  /** HTML between the heading and the button. */
  content: string;
  button: { address: string; text: string };
  /** HTML of the small print at the end. */
  footnote: string;
}

/** Inline style of a paragraph, because mail programs ignore style sheets. */
export const MAIL_PARAGRAPH = 'margin:0 0 16px;font-size:15px;line-height:1.5';

/** The layout of every mail. */
export function renderMailPage({ subject, heading, content, button, footnote }: MailPage): string {
  return `<!doctype html>
<html lang="ru">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f2ee;font-family:Arial,Helvetica,sans-serif;color:#1d1b18">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:480px;margin:0 auto;background:#ffffff;border-radius:16px">
<tr><td style="padding:32px">
<p style="margin:0 0 24px;font-size:15px;font-weight:bold">Подиум</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${content}
<p style="margin:8px 0 24px"><a href="${button.address}" style="display:inline-block;padding:12px 20px;background:#1d1b18;border-radius:10px;color:#ffffff;font-size:15px;text-decoration:none">${button.text}</a></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#6b665e">${footnote}</p>
</td></tr>
</table>
</body>
</html>
`;
}

/** A mail of plain paragraphs, without any markup. */
export interface Letter {
  subject: string;
  heading: string;
  paragraphs: string[];
  button: { address: string; text: string };
  footnote: string;
  /** Whether the button does what the footnote says. The plain text then names the address after the footnote. */
  isButtonForFootnote: boolean;
}

/** A letter as a mail, with the same words as text and as HTML. */
export function renderLetter(letter: Letter): Omit<Mail, 'to'> {
  const { subject, heading, paragraphs, footnote, button } = letter;
  const ending = letter.isButtonForFootnote ? [footnote, button.address] : [button.address, footnote];
  return {
    subject,
    text: [heading, ...paragraphs, ...ending, '«Подиум»'].join('\n\n'),
    html: renderMailPage({
      subject: escapeHtml(subject),
      heading: escapeHtml(heading),
      content: paragraphs.map((paragraph) => `<p style="${MAIL_PARAGRAPH}">${escapeHtml(paragraph)}</p>`).join('\n'),
      button,
      footnote: escapeHtml(footnote),
    }),
  };
}

import { escapeHtml } from '#api/platform/escape-html.ts';

interface SandboxPayment {
  id: string;
  status: 'pending' | 'succeeded' | 'canceled';
  amountKopecks: number;
  description: string;
  returnUrl: string;
}

const MONEY = new Intl.NumberFormat('ru-RU', { style: 'currency', currency: 'RUB', minimumFractionDigits: 0 });
const ENDED = { succeeded: 'Этот счёт уже оплачен.', canceled: 'Этот счёт отклонён или устарел.' } as const;

/** The whole page. `null` for a payment that does not exist. */
export function renderSandboxPage(payment: SandboxPayment | null): string {
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#ffffff">
<title>Тестовая оплата — «Подиум»</title>
<link rel="icon" href="/icons/icon.svg" type="image/svg+xml">
<script src="/before-start.js"></script>
<link rel="stylesheet" href="/sandbox/pay.css">
</head>
<body>
<main>
<p class="brand">Подиум</p>
<p class="mark" role="note">Тестовая оплата: деньги не списываются</p>
${payment ? renderPayment(payment) : renderUnknown()}
</main>
</body>
</html>
`;
}

function renderPayment(payment: SandboxPayment): string {
  const sum = MONEY.format(payment.amountKopecks / 100);
  return `<h1>${escapeHtml(sum)}</h1>
<p class="what">${escapeHtml(payment.description)}</p>
${payment.status === 'pending' ? renderButtons(payment.id) : renderEnded(payment.id, payment.status)}`;
}

function renderButtons(id: string): string {
  return `<div class="buttons">
${renderButton(id, 'pay', 'primary', 'Оплатить')}
${renderButton(id, 'decline', 'secondary', 'Отклонить')}
${renderButton(id, 'leave', 'quiet', 'Вернуться без оплаты')}
</div>
<p class="hint">Страница показывает то, что на настоящем сайте делает платёжная система. «Оплатить» зачислит звёзды, «Отклонить» вернёт отказ банка.</p>`;
}

function renderEnded(id: string, status: keyof typeof ENDED): string {
  return `<p class="state">${ENDED[status]}</p>
<div class="buttons">${renderButton(id, 'leave', 'primary', 'Вернуться на сайт')}</div>`;
}

function renderUnknown(): string {
  return `<h1>Счёт не найден</h1>
<p class="what">Проверьте адрес страницы или откройте оплату заново.</p>
<div class="buttons"><a class="button primary" href="/app">Вернуться на сайт</a></div>`;
}

function renderButton(id: string, action: string, look: string, text: string): string {
  return `<form method="post" action="/sandbox/pay/${id}/${action}"><button class="button ${look}">${text}</button></form>`;
}

import * as z from 'zod/mini';
import { BATCH_ROWS_MAX } from '#shared/rules/batches.ts';
import { ENGINE_DAY_START } from '#shared/rules/engine-day.ts';
import { SETS_MAX } from '#shared/rules/setting-sets.ts';
import { describeRetryTime } from '#shared/rules/waiting-time.ts';

/** Every error of the API: stable code -> HTTP status and the Russian text for people. */
export const ERRORS = {
  invalid_request: { status: 400, message: 'Проверьте введённые данные' },
  unauthorized: { status: 401, message: 'Требуется авторизация' },
  invalid_credentials: { status: 401, message: 'Неверный email или пароль' },
  forbidden: { status: 403, message: 'Недостаточно прав' },
  foreign_origin: { status: 403, message: 'Запрос пришёл с чужого адреса. Откройте сайт заново и повторите' },
  unknown_host: { status: 421, message: 'По этому адресу сайта нет. Откройте его по обычному адресу' },
  email_not_verified: { status: 403, message: 'Подтвердите email: введите код из письма на странице подтверждения' },
  route_not_found: { status: 404, message: 'Такого адреса нет' },
  method_not_allowed: { status: 405, message: 'Этот адрес не принимает такой запрос' },
  request_timeout: { status: 408, message: 'Запрос шёл слишком медленно и прервался. Проверьте связь и повторите' },
  body_too_large: { status: 413, message: 'Запрос слишком большой' },
  unsupported_content_type: { status: 415, message: 'Тело запроса должно быть в формате JSON' },
  headers_too_large: { status: 431, message: 'Запрос слишком большой. Очистите cookie этого сайта и повторите' },
  email_taken: { status: 409, message: 'Этот email уже зарегистрирован. Войдите или восстановите пароль' },
  already_verified: { status: 409, message: 'Email уже подтверждён' },
  invalid_code: { status: 400, message: 'Неверный код подтверждения' },
  code_expired: { status: 400, message: 'Код больше не действует. Запросите новый' },
  code_requested_too_soon: { status: 429, message: 'Новый код можно запросить через минуту' },
  too_many_requests: { status: 429, message: 'Слишком много запросов. Подождите немного и повторите' },
  password_common: {
    status: 400,
    message: 'Этот пароль слишком распространён: такие подбирают первыми. Придумайте другой',
  },
  wrong_password: { status: 400, message: 'Неверный текущий пароль' },
  password_short: {
    status: 400,
    message: 'Пароль администратора должен быть не менее 8 символов',
  },
  password_change_required: {
    status: 403,
    message: 'Сначала задайте новый пароль: до этого можно только выйти',
  },
  second_factor_required: {
    status: 403,
    message: 'Сначала настройте второй фактор: коды из приложения-аутентификатора',
  },
  second_factor_exists: {
    status: 409,
    message: 'Второй фактор уже настроен. Заменить его можно командой npm run admin на сервере',
  },
  second_factor_code_wrong: {
    status: 400,
    message: 'Неверный или уже использованный код. Дождитесь следующего в приложении и введите его',
  },
  confirmation_required: {
    status: 403,
    message: 'Подтвердите, что это вы: введите пароль и код из приложения. Подтверждение действует 15 минут',
  },
  deletion_asked: {
    status: 409,
    message: 'Аккаунт ждёт удаления. Отмените удаление в настройках, чтобы создавать и покупать снова',
  },
  consent_required: {
    status: 403,
    message:
      'Чтобы загружать фото и запускать генерации, прочитайте документы сервиса и согласитесь с ними на странице инструмента',
  },
  transfer_consent_required: {
    status: 403,
    message:
      'Этот инструмент передаёт фото за границу. Согласитесь на передачу на его странице или выберите другой инструмент',
  },
  session_not_found: { status: 404, message: 'Этот сеанс уже завершён' },
  session_forbidden: { status: 403, message: 'Это сеанс другого аккаунта. Обновите список сеансов' },
  session_replaced: { status: 409, message: 'В этом браузере только что открылся новый сеанс. Повторите выход' },
  mail_not_sent: { status: 503, message: 'Не удалось отправить письмо. Попробуйте ещё раз через несколько минут' },

  photo_missing: { status: 400, message: 'Пожалуйста, выберите изображение' },
  photo_not_image: { status: 415, message: 'Пожалуйста, выберите изображение в формате JPG, PNG или WebP' },
  photo_format_refused: {
    status: 415,
    message: 'SVG, GIF и TIFF не подходят. Сохраните фото в JPG, PNG или WebP и загрузите ещё раз',
  },
  photo_heic_unsupported: {
    status: 415,
    message: 'Этот файл HEIC не открылся. Сохраните фото как JPEG и загрузите снова',
  },
  photo_avif_unsupported: {
    status: 415,
    message: 'Этот файл AVIF не открылся. Сохраните фото как JPEG и загрузите снова',
  },
  photo_too_large: { status: 413, message: 'Размер файла не должен превышать 10MB' },
  photo_too_small: { status: 400, message: 'Минимальный размер изображения 300x300 пикселей' },
  photo_too_many_pixels: { status: 400, message: 'Изображение слишком большое: уменьшите его до 60 мегапикселей' },
  photo_unreadable: {
    status: 400,
    message: 'Файл повреждён. Сохраните фото заново в JPG и загрузите ещё раз',
  },
  product_not_found: { status: 404, message: 'Товар не найден' },
  product_forbidden: { status: 403, message: 'Это товар другого аккаунта' },
  set_not_found: { status: 404, message: 'Набор не найден' },
  set_forbidden: { status: 403, message: 'Это набор другого аккаунта' },
  set_name_taken: { status: 409, message: 'Набор с таким названием уже есть. Введите другое название' },
  sets_full: { status: 409, message: `У инструмента уже ${SETS_MAX} наборов. Удалите ненужный и сохраните ещё раз` },
  article_taken: { status: 409, message: 'Товар с таким артикулом уже есть' },
  batch_not_found: { status: 404, message: 'Партия не найдена' },
  batch_forbidden: { status: 403, message: 'Это партия другого аккаунта' },
  batch_row_not_found: { status: 404, message: 'Этой строки в партии уже нет' },
  batch_full: {
    status: 409,
    message: `В партии уже ${BATCH_ROWS_MAX} фото. Уберите лишние или создайте ещё одну партию`,
  },
  batches_full: { status: 409, message: 'Партий слишком много. Удалите старые: фото и результаты останутся' },
  batch_empty: { status: 409, message: 'В партии нет строк, которые можно запустить' },
  batch_runs: { status: 409, message: 'Партия ещё идёт. Остановите её и дождитесь того, что уже создаётся' },
  batch_rows_wait: {
    status: 409,
    message: 'Эти строки уже ждут или создаются. Остановите ожидающие, чтобы изменить их',
  },
  batch_row_not_done: { status: 409, message: 'Переделать можно только готовую строку' },
  batch_person_missing: { status: 400, message: 'Для примерки выберите фото человека' },
  csv_file_missing: { status: 400, message: 'Для этой строки таблицы нет файла с таким именем' },
  csv_line_invalid: { status: 400, message: 'Эту строку таблицы не удалось прочитать' },
  csv_set_unknown: { status: 400, message: 'Набора с таким названием нет' },
  zip_entry_encrypted: { status: 400, message: 'Файл в архиве закрыт паролем. Распакуйте архив и добавьте файл' },
  zip_entry_broken: { status: 400, message: 'Файл в архиве повреждён. Добавьте его отдельно' },
  photo_not_found: { status: 404, message: 'Изображение не найдено' },
  photo_in_use: {
    status: 409,
    message: 'Из этого фото сейчас делается результат. Дождитесь окончания и удалите фото ещё раз',
  },
  photo_quota_reached: {
    status: 409,
    message:
      'Место для фото закончилось. Удалите ненужные: на сайте «Настройки», раздел «Мои фото», в Telegram команда /photos',
  },
  photo_count_reached: {
    status: 409,
    message:
      'Пока email не подтверждён, хранится не больше пяти фото. Подтвердите email или удалите лишние: «Настройки», раздел «Мои фото»',
  },
  photo_forbidden: { status: 403, message: 'Это фото загружено из другого аккаунта. Загрузите его снова' },

  not_enough_stars: { status: 402, message: 'Недостаточно звезд' },
  pack_not_found: { status: 404, message: 'Пакет не найден: пакеты хранятся неделю. Соберите его ещё раз' },
  pack_forbidden: { status: 403, message: 'Это пакет другого аккаунта' },
  pack_not_ready: { status: 409, message: 'Пакет ещё собирается' },
  pack_failed: { status: 409, message: 'Пакет не собрался. Попробуйте ещё раз' },
  pack_empty: { status: 409, message: 'В пакет нечего положить: отметьте результаты, которые берёте' },
  pack_too_large: {
    status: 409,
    message:
      'Пакет получится слишком большим. Выберите не больше 1 000 файлов и 1 ГБ, а видео, которые нужно изменить, — не больше 200, например несколькими пакетами',
  },
  pack_names_collide: {
    status: 409,
    message: 'Некоторые файлы получили бы одно название. Добавьте в шаблон {№} или {инструмент}',
  },
  packs_busy: { status: 409, message: 'Дождитесь, пока соберутся прежние пакеты, и попробуйте ещё раз' },
  premium_required: { status: 402, message: 'Скачивание оригиналов доступно только платным пользователям' },
  price_changed: { status: 409, message: 'Цена изменилась, поэтому ничего не запущено и не списано' },
  active_generation: { status: 409, message: 'У вас уже есть активная генерация: Дождитесь завершения текущей' },
  tool_not_offered: { status: 404, message: 'Этот инструмент сейчас не предлагается' },
  video_length_unavailable: {
    status: 400,
    message: 'Видео такой длины сейчас не создаётся, поэтому ничего не списано. Выберите другую длительность',
  },
  aspect_ratio_unavailable: {
    status: 400,
    message: 'Видео такого формата сейчас не создаётся, поэтому ничего не списано. Выберите другой формат',
  },
  engine_maintenance: {
    status: 503,
    message: 'Инструмент на обслуживании: новые генерации пока не запускаются, звёзды не списываются. Попробуйте позже',
  },
  engine_failing: {
    status: 503,
    message: 'Сервис генерации сейчас работает с ошибками, звёзды не списываются. Попробуйте через несколько минут',
  },
  engine_budget_reached: {
    status: 503,
    message: 'На сегодня генерации закончились, звёзды не списываются. Попробуйте завтра',
  },
  engine_free_runs_reached: {
    status: 503,
    message: 'Бесплатные генерации на сегодня закончились. Попробуйте завтра или купите звёзды',
  },
  engine_share_reached: {
    status: 429,
    message: `Ваш лимит генераций на сегодня исчерпан, звёзды не списаны. Продолжить можно после ${ENGINE_DAY_START}`,
  },
  engine_refusals_reached: {
    status: 429,
    message: `Сервис генерации отклонил сегодня три ваших заказа, новые пока не принимаем, звёзды не списаны. Продолжить можно после ${ENGINE_DAY_START} с другим фото или описанием`,
  },
  idempotency_key_reused: { status: 409, message: 'Этот запрос уже был отправлен с другими данными' },
  generation_not_found: { status: 404, message: 'Генерация не найдена' },
  generation_forbidden: {
    status: 403,
    message: 'Эта генерация принадлежит другому аккаунту. Войдите в тот, в котором она запущена',
  },
  reroll_not_offered: {
    status: 409,
    message: 'Бесплатная переделка не предлагается: вещь не изменилась, ещё сверяется с фото или уже переделана',
  },
  result_lost: {
    status: 410,
    message: 'Файл этого результата потерян на сервере. Звёзды за него можно вернуть в галерее',
  },
  result_not_lost: { status: 409, message: 'Файл этого результата на месте. Обновите страницу' },
  loss_generation_runs: { status: 409, message: 'Генерация ещё идёт. Верните звёзды, когда она закончится' },
  loss_costs_nothing: {
    status: 409,
    message: 'За этот результат возвращать нечего: звёзды не списывались, уже вернулись или он переделан бесплатно',
  },
  file_lost: { status: 410, message: 'Этот файл потерян на сервере. Загрузите фото заново' },
  generation_finished: { status: 409, message: 'Генерация уже завершена' },
  video_not_found: { status: 404, message: 'Видео не найдено' },
  video_forbidden: { status: 403, message: 'У вас нет прав на это видео' },
  video_not_ready: { status: 409, message: 'Видео ещё обрабатывается, попробуйте позже' },
  video_preparing: {
    status: 409,
    message: 'Готовим видео для просмотра. Обычно это занимает до полуминуты, в очереди дольше',
  },
  video_copy_failed: {
    status: 503,
    message: 'Не получилось подготовить видео для просмотра. Само видео сохранено, попробуйте ещё раз',
  },
  image_not_found: { status: 404, message: 'Изображение не найдено' },
  image_forbidden: { status: 403, message: 'У вас нет прав на это изображение' },
  image_url_foreign: { status: 400, message: 'Скачать можно только изображения из вашей галереи или каталога' },
  catalogue_entry_unknown: { status: 400, message: 'Выберите модель и фон из каталога' },
  background_unchanged: {
    status: 400,
    message: 'Здесь меняется только фон: с прежним фоном фото осталось бы как было. Выберите другой фон',
  },
  change_differs: {
    status: 409,
    message:
      'Инструмент теперь делает не то, что было выбрано, поэтому ничего не запущено и не списано. Выберите заново',
  },
  premium_background: { status: 403, message: 'Этот фон доступен платным пользователям' },
  export_fix_unsuitable: { status: 400, message: 'Этому файлу такая правка не нужна' },
  range_not_satisfiable: { status: 416, message: 'Запрошенной части файла нет' },

  package_unknown: { status: 400, message: 'Такого пакета нет. Выберите пакет из списка' },
  payment_provider_unknown: { status: 400, message: 'Этим способом сейчас нельзя оплатить. Выберите другой' },
  payment_not_created: { status: 502, message: 'Не удалось создать платеж' },
  too_many_invoices: {
    status: 409,
    message: 'У вас много неоплаченных счетов. Оплатите один из них или попробуйте через час',
  },
  invoice_forbidden: {
    status: 403,
    message: 'Этот счёт выставлен другому аккаунту. Войдите в тот, в котором его открыли',
  },
  invoice_paid: { status: 409, message: 'Этот счёт уже оплачен. Обновите страницу: звёзды на балансе' },
  invoice_not_found: { status: 404, message: 'Счёт не найден' },
  payment_not_found: { status: 404, message: 'Платёж не найден' },
  refund_impossible: { status: 409, message: 'Вернуть можно только оплаченную сумму, которая ещё не возвращена' },
  refund_failed: { status: 502, message: 'Платёжная система не приняла возврат. Попробуйте ещё раз позже' },
  account_not_found: { status: 404, message: 'Пользователь не найден' },
  correction_overdraws: { status: 409, message: 'На балансе нет столько звёзд' },
  outage_not_found: { status: 404, message: 'Этот сбой уже закончился' },
  report_not_found: { status: 404, message: 'Жалоба не найдена' },
  report_closed: { status: 409, message: 'Эту жалобу уже рассмотрели. Обновите список' },
  report_result_gone: { status: 409, message: 'Результата уже нет, удалять нечего' },
  report_generation_runs: { status: 409, message: 'Генерация ещё идёт. Верните звёзды, когда она закончится' },
  report_costs_nothing: {
    status: 409,
    message: 'За этот результат возвращать нечего: звёзды не списывались или уже вернулись',
  },
  interview_request_not_found: { status: 404, message: 'Заявка не найдена' },

  push_service_unknown: { status: 400, message: 'Уведомления этого браузера не поддерживаются' },
  push_device_not_found: { status: 404, message: 'Это устройство уже отключено' },
  push_device_forbidden: { status: 403, message: 'Это устройство другого аккаунта. Обновите список устройств' },

  telegram_off: { status: 409, message: 'Telegram-бот сейчас не подключён' },
  link_token_invalid: { status: 400, message: 'Ссылка устарела или уже использована. Создайте новую' },
  parting_link_invalid: {
    status: 400,
    message: 'Ссылка устарела или уже использована. Подключённые чаты видны в настройках аккаунта',
  },
  telegram_has_account: {
    status: 409,
    message: 'Этот Telegram связан с другим аккаунтом сайта. Сначала разорвите связь: команда /unlink в боте',
  },
  telegram_in_use: {
    status: 409,
    message:
      'В этом чате уже есть звёзды, фото или результаты. Чтобы перенести их в аккаунт сайта, отправьте боту /link, откройте ссылку на сайте и подтвердите паролем',
  },
  account_has_telegram: {
    status: 409,
    message: 'С этим аккаунтом связан другой Telegram. Сначала разорвите связь в настройках сайта',
  },

  internal: { status: 500, message: 'Ошибка сервера' },
  storage_full: {
    status: 507,
    message: 'На сервере закончилось место, ничего не списано. Попробуйте ещё раз через несколько минут',
  },
  storage_unavailable: {
    status: 503,
    message: 'Хранилище файлов сейчас недоступно, ничего не списано. Попробуйте ещё раз через минуту',
  },
  unavailable: { status: 503, message: 'Сервис временно недоступен. Попробуйте ещё раз через минуту' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Texts of temporary errors that say how long to wait, for when that is known. */
const TOLD_WITH_WAIT: Partial<Record<ErrorCode, (wait: string) => string>> = {
  code_requested_too_soon: (wait) => `Новый код можно запросить ${wait}`,
  too_many_requests: (wait) => `Слишком много запросов. Повторите ${wait}`,
};

/** The text of an error. `retryAfter`: seconds until a retry makes sense, if known. */
export function describeRefusal(code: ErrorCode, retryAfter?: number): string {
  const tell = TOLD_WITH_WAIT[code];
  return tell && retryAfter !== undefined ? tell(describeRetryTime(retryAfter)) : ERRORS[code].message;
}

/** Body of every unsuccessful answer. Further fields depend on the code. */
export const errorBody = z.looseObject({
  message: z.string(),
  code: z.string(),
  /** The first complaint about each field, by its path in the body, query or parameters. */
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.optional(z.string()),
  generationId: z.optional(z.string()),
  /** With `premium_required`: what a payment would unlock. */
  upgradeMessage: z.optional(z.string()),
  /** With `invalid_code`: remaining attempts, if the caller knows the address anyway. */
  attemptsLeft: z.optional(z.number()),
  /** With 429: seconds until a retry makes sense. */
  retryAfter: z.optional(z.number()),
});
export type ErrorBody = z.infer<typeof errorBody>;

import type { Operator } from '#shared/contract/operator.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { DocumentSection, LegalDocument } from './legal-document.ts';

/** The consent to the transfer of photos abroad. It is asked for on its own, before the first start that needs it. */
export function writePhotoTransferConsent(operator: Operator): LegalDocument {
  const { name, ogrnip, inn, email, sendsPhotosAbroad } = operator;
  return {
    lead: sendsPhotosAbroad
      ? 'Отмечая пункт «Согласен на передачу фото за границу» перед первым запуском инструмента, который передаёт фотографии за границу, я свободно, своей волей и в своём интересе даю согласие на следующих условиях. Мне есть 18 лет.'
      : 'Сейчас сервис создаёт результаты на серверах оператора и не передаёт фотографии за границу, поэтому это согласие не запрашивается.',
    sections: [
      {
        title: 'Кому даётся согласие',
        blocks: [
          `Оператору: ${name}, ОГРНИП ${ogrnip}, ИНН ${inn}, [${email}](mailto:${email}).`,
          { lawyerNote: 'Подано ли уведомление в Роскомнадзор о трансграничной передаче и проверены ли условия fal?' },
        ],
      },
      ...(sendsPhotosAbroad ? describeTransfer(email) : []),
    ],
  };
}

function describeTransfer(email: string): DocumentSection[] {
  return [
    {
      title: 'На что даётся согласие',
      blocks: [
        'Я согласен на трансграничную передачу загруженных фотографий и настроек генерации сервису fal (Features & Labels, Inc., США) для создания результата.',
        'Передаются фотография, выбранная модель или фон и настройки генерации. Имя, адрес почты и другие данные аккаунта не передаются.',
      ],
    },
    {
      title: 'Без этого согласия',
      blocks: [
        `Это согласие отдельное от [согласия на обработку персональных данных](${PATHS.personalDataConsent}). Без него не запускаются только инструменты, которые передают фотографии за границу; остальные работают.`,
      ],
    },
    {
      title: 'Срок и отзыв',
      blocks: [
        `Согласие действует, пока существует аккаунт. Отозвать его можно в любое время: в [настройках](${PATHS.settings}), в настройках бота или письмом на [${email}](mailto:${email}) с адреса, на который зарегистрирован аккаунт. После отзыва новые запуски с передачей за границу не начинаются.`,
        'Сервер сохраняет редакцию этого документа и время, когда согласие дано.',
      ],
    },
  ];
}

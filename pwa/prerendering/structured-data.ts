import { listQuestions } from '#pwa/pages/landing-page/questions.ts';
import type { PublicPageData } from '#shared/prerendering.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';

const CONTEXT = 'https://schema.org';

/** The operator of the service, as schema.org data. */
export function describeOrganization({ origin, operator }: PublicPageData): object {
  return {
    '@context': CONTEXT,
    '@type': 'Organization',
    name: 'Подиум',
    url: `${origin}/`,
    logo: `${origin}/icons/icon.svg`,
    // Sample data of an operator must not reach search engines.
    ...(operator.isSample ? {} : describeContact(operator)),
  };
}

function describeContact({ name, email, messengerUrl }: PublicPageData['operator']): object {
  return {
    legalName: name,
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      email,
      url: messengerUrl,
      availableLanguage: 'ru',
    },
  };
}

/** The packages of stars for sale, as a schema.org product. */
export function describeProduct({ origin, packages, tools: { change } }: PublicPageData): object {
  const photo = change === 'model_change' ? 'фото с новой моделью' : 'фото с новым фоном';
  return {
    '@context': CONTEXT,
    '@type': 'Product',
    name: `Подиум: видео, ${CHANGE_NAMES[change].toLowerCase()} и фотосессия по фото товара`,
    description: `Короткие видео, ${photo} и фотосессии из пяти кадров по одному фото одежды или обуви.`,
    image: `${origin}/preview.jpg`,
    brand: { '@type': 'Brand', name: 'Подиум' },
    offers: packages.map(({ name, stars, priceRub }) => ({
      '@type': 'Offer',
      name: `${name}: ${stars}\u00a0★`,
      price: priceRub,
      priceCurrency: 'RUB',
      availability: `${CONTEXT}/InStock`,
      url: `${origin}/`,
    })),
  };
}

/** The questions and answers of the landing page, as schema.org data. */
export function describeQuestions({ tools: { change } }: PublicPageData): object {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: listQuestions(change).map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

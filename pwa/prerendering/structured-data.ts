import { listQuestions } from '#pwa/pages/landing-page/questions.ts';
import type { PublicPageData } from '#shared/prerendering.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';

const CONTEXT = 'https://schema.org';

/** Who runs the service. */
export function describeOrganization({ origin, operator }: PublicPageData): object {
  return {
    '@context': CONTEXT,
    '@type': 'Organization',
    name: 'Подиум',
    url: `${origin}/`,
    logo: `${origin}/icons/icon.svg`,
    // A sample is for people who read that it is one.
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

/** What is sold: packages of stars. */
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

/** The questions that the first page answers. */
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

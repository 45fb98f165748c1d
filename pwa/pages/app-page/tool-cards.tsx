import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import modelAfter from '#pwa/assets/art/cm-after.svg';
import modelBefore from '#pwa/assets/art/cm-before.svg';
import modelGround from '#pwa/assets/art/cm-ground.svg';
import frame1 from '#pwa/assets/art/f1.svg';
import frame3 from '#pwa/assets/art/f3.svg';
import frame5 from '#pwa/assets/art/f5.svg';
import tryOn2 from '#pwa/assets/art/g6.svg';
import tryOn1 from '#pwa/assets/art/g9.svg';
import session1 from '#pwa/assets/art/session-1.svg';
import session2 from '#pwa/assets/art/session-2.svg';
import session3 from '#pwa/assets/art/session-3.svg';
import { Notice } from '#pwa/components/notice.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { toolOfferQuery } from '#pwa/features/tools/tool-offer.ts';
import { useChange, useFrameSort, useOffered, useVideoOffer } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { fromSource } from '#pwa/paths.ts';
import type { Path } from '#shared/rules/app-paths.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { countStars } from '#shared/rules/plurals.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import { CHANGE_NAMES, type Change, type FrameSort } from '#shared/rules/tool-abilities.ts';
import { groupObstacles } from '#shared/rules/tool-offer.ts';
import { priceOf, TOOLS } from '#shared/rules/tools.ts';

interface ToolCardWords {
  path: Path;
  title: string;
  text: string;
  /** Null for a tool that is not available yet. */
  price: string | null;
  pictures: string[];
  /** The visible part of the pictures. */
  focus?: string;
}

const CHANGE_CARDS: Record<Change, Pick<ToolCardWords, 'text' | 'pictures'>> = {
  model_change: { text: 'Новая модель и фон, вещь остаётся той же', pictures: [modelBefore, modelAfter] },
  background_change: {
    text: 'Новый фон, вещь и человек остаются прежними',
    pictures: [modelBefore, modelGround],
  },
};

const SESSION_TEXTS: Record<FrameSort, string> = {
  poses: '5 поз в одном свете',
  views: '5 кадров вещи при разном свете и фоне',
};

interface OfferedTools {
  change: Change;
  frameSort: FrameSort;
  offered: readonly GenerationKind[];
  videoSeconds: readonly VideoSeconds[];
}

function listCards({ change, frameSort, offered, videoSeconds }: OfferedTools): ToolCardWords[] {
  const cards: Record<GenerationKind, Omit<ToolCardWords, 'path'>> = {
    video: {
      title: 'Создать видео',
      text: `${videoSeconds.join(' или ')} секунд показа по одному фото`,
      price: describePrices(videoSeconds.map((seconds) => priceOf('video', seconds))),
      pictures: [frame1, frame3, frame5],
      focus: 'object-[50%_60%]',
    },
    model_change: {
      title: CHANGE_NAMES[change],
      price: countStars(priceOf('model_change')),
      ...CHANGE_CARDS[change],
    },
    photosession: {
      title: 'Фотосессия по 1 фото',
      text: SESSION_TEXTS[frameSort],
      price: countStars(priceOf('photosession')),
      pictures: [session1, session2, session3],
    },
    try_on: {
      title: 'Виртуальная примерка',
      text: 'Вещь на фото вашего покупателя',
      price: offered.includes('try_on') ? countStars(priceOf('try_on')) : null,
      pictures: [tryOn1, tryOn2],
    },
  };
  // A try-on that is not offered is announced.
  const kinds = GENERATION_KINDS.filter((kind) => kind === 'try_on' || offered.includes(kind));
  return kinds.map((kind) => ({ path: TOOLS[kind].page, ...cards[kind] }));
}

/** «1–2 звезды», or «1 звезда». */
function describePrices(prices: readonly number[]): string {
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  return least === most ? countStars(least) : `${least}–${countStars(most)}`;
}

/** Says which tools cannot be started now, and why. */
export function ToolObstacles() {
  const offer = useQuery(toolOfferQuery).data;
  const change = useChange();
  return (
    <div role="status">
      {groupObstacles(offer?.tools ?? [], change).map(({ names, message }) => (
        <Notice key={message} tone="warning" title={names} className="mb-6">
          {nb(message)}.
        </Notice>
      ))}
    </div>
  );
}

export function ToolCards() {
  const tools = { change: useChange(), frameSort: useFrameSort(), offered: useOffered(), ...useVideoOffer() };
  return (
    <div className="grid md:grid-cols-2 xl:grid-cols-4 gap-3 md:gap-4">
      {listCards(tools).map((tool) => (
        <ToolCard key={tool.path} {...tool} />
      ))}
    </div>
  );
}

function ToolCard({ path, title, text, price, pictures, focus = 'object-[50%_30%]' }: ToolCardWords) {
  return (
    <Link
      to={path}
      state={fromSource('dashboard')}
      className="panel flex md:flex-col overflow-hidden no-underline hover:shadow-[0_0_0_1.5px_var(--color-ink)]"
    >
      <div className={`relative w-[104px] md:w-full flex-none overflow-hidden ${price === null ? 'opacity-55' : ''}`}>
        <div className="flex h-full md:h-[188px]">
          {pictures.map((picture, index) => (
            <img
              key={picture}
              src={picture}
              alt=""
              className={`h-full min-h-[112px] flex-1 w-0 object-cover ${focus} ${index > 0 ? 'max-md:hidden' : ''}`}
            />
          ))}
        </div>
      </div>
      <div className="p-4 flex-1 min-w-0 flex flex-col">
        <h2 className="font-semibold text-lg leading-6">{nb(title)}</h2>
        <p className="text-sm text-muted mt-1">{nb(text)}</p>
        <div className="mt-auto pt-3 flex items-center gap-2 text-sm">
          {price === null ? (
            <span className="tag line">Скоро</span>
          ) : (
            <>
              <span className="num inline-flex items-center gap-1.5 text-star font-semibold">
                <StarIcon />
                {price}
              </span>
              <ArrowRight className="ic ml-auto" />
            </>
          )}
        </div>
      </div>
    </Link>
  );
}

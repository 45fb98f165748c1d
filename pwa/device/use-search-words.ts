import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { KEEP_SCROLL } from './keep-scroll.ts';
import { useSettled } from './use-settled.ts';

export const SEARCH_PARAMETER = 'search';
const TYPING_PAUSE_MS = 300;

export interface SearchWords {
  /** What stands in the field. */
  text: string;
  setText: (text: string) => void;
  /** What the list is searched for; '' for all. */
  words: string;
  clear: () => void;
}

/** The words that a page is searched for. They stand in its address, so that a reload and a copied link show the same. */
export function useSearchWords(): SearchWords {
  const [parameters, setParameters] = useSearchParams();
  const words = parameters.get(SEARCH_PARAMETER) ?? '';
  const [text, setText] = useState(words);
  const typed = useSettled(text.trim(), TYPING_PAUSE_MS);
  const search = (next: string) =>
    setParameters(
      (current) => {
        if (next === '') current.delete(SEARCH_PARAMETER);
        else current.set(SEARCH_PARAMETER, next);
        return current;
      },
      { replace: true, state: KEEP_SCROLL },
    );
  const searchTyped = useEffectEvent(() => {
    if (typed !== words) search(typed);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts a search.
  useEffect(() => searchTyped(), [typed]);
  return {
    text,
    setText,
    words,
    clear() {
      setText('');
      search('');
    },
  };
}

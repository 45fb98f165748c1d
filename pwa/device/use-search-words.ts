import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SEARCH_PARAMETER } from '#shared/rules/app-paths.ts';
import { KEEP_SCROLL } from './keep-scroll.ts';

const TYPING_PAUSE_MS = 300;

export interface SearchWords {
  /** What stands in the field. */
  text: string;
  setText: (text: string) => void;
  /** What the list is searched for; '' for all. */
  words: string;
  /** Whether the address asks to begin a search. */
  isBegun: boolean;
  clear: () => void;
  /** Forgets what is typed and not searched for yet. */
  dropTyped: () => void;
}

/** The words that a page is searched for. They stand in its address, so that a reload and a copied link show the same. */
export function useSearchWords(): SearchWords {
  const [parameters, setParameters] = useSearchParams();
  const words = parameters.get(SEARCH_PARAMETER) ?? '';
  /** The field as it was typed, with its spaces. It counts while the address names the words of then. */
  const [typed, setTyped] = useState<{ text: string; words: string } | null>(null);
  if (typed && typed.words !== words && typed.text.trim() === words) setTyped({ ...typed, words });
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
    if (typed?.words === words && typed.text.trim() !== words) search(typed.text.trim());
  });
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => searchTyped(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const dropTyped = () => setTyped(null);
  return {
    text: typed?.words === words ? typed.text : words,
    setText: (text) => setTyped({ text, words }),
    words,
    isBegun: parameters.get(SEARCH_PARAMETER) === '',
    clear() {
      dropTyped();
      search('');
    },
    dropTyped,
  };
}

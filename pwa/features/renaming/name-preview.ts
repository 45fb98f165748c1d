import type { ResultName } from '#shared/contract/result-name.ts';
import { fillNameTemplate, type NamedResult, nameResult } from '#shared/rules/result-names.ts';
import { kindMaking, type ResultKind } from '#shared/rules/tools.ts';

/** A result that can be renamed. */
export interface NamedItem extends Omit<ResultName, 'fileName'> {
  /** As the gallery has it: a picture's own id, the generation's id of a video. */
  id: string;
  /** What it really is. */
  made: ResultKind;
}

/** What a template makes of a result's name. The usual name where nothing is left of it, as the server does. */
export function previewName(template: string, item: NamedItem): string {
  const named = toNamed(item);
  return fillNameTemplate(template, named) || nameResult(named);
}

/** The name without one of the owner's. */
export function nameUsually(item: NamedItem): string {
  return nameResult(toNamed(item));
}

function toNamed({ product, photoName, made, number, position }: NamedItem): NamedResult {
  const article = product?.article ?? null;
  return { title: null, article, photoName, kind: kindMaking(made), made, number, position };
}

import type { AppContext } from '#api/services/app-context.ts';
import type { Operator } from '#shared/contract/operator.ts';
import { LEGAL_DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';

const ENGINES_ABROAD: readonly string[] = ['fal'];

/** The operator's data for the public pages. */
export function describeOperator({ config }: Pick<AppContext, 'config'>): Operator {
  return {
    ...config.operator,
    areDocumentsReviewed: config.legalDocumentsReviewed === LEGAL_DOCUMENTS_VERSION,
    sendsPhotosAbroad: ENGINES_ABROAD.includes(config.engine),
  };
}

import type { AppContext } from '#api/services/app-context.ts';
import type { Operator } from '#shared/contract/operator.ts';
import { LEGAL_DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { findPhotosTravel } from './tool-abilities.ts';

/** The operator's data for the public pages. */
export function describeOperator({ config, engines }: Pick<AppContext, 'config' | 'engines'>): Operator {
  return {
    ...config.operator,
    areDocumentsReviewed: config.legalDocumentsReviewed === LEGAL_DOCUMENTS_VERSION,
    sendsPhotosAbroad: findPhotosTravel(engines) === 'abroad',
  };
}

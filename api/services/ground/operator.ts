import type { AppContext } from '#api/services/app-context.ts';
import type { Operator } from '#shared/contract/operator.ts';
import { namesTransferAbroad } from '#shared/rules/legal-documents.ts';
import { findDocumentsVersion } from './tool-abilities.ts';

/** The operator's data for the public pages. */
export function describeOperator({ config, engines }: Pick<AppContext, 'config' | 'engines'>): Operator {
  const version = findDocumentsVersion(engines);
  return {
    ...config.operator,
    areDocumentsReviewed: config.legalDocumentsReviewed === version,
    sendsPhotosAbroad: namesTransferAbroad(version),
  };
}

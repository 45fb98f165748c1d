import type { AppContext } from '#api/services/app-context.ts';
import type { Operator } from '#shared/contract/operator.ts';
import { nameReviewedVersion } from '#shared/rules/legal-documents.ts';
import { findPhotosTravel } from './tool-abilities.ts';

export function describeOperator({ config, engines }: Pick<AppContext, 'config' | 'engines'>): Operator {
  const sendsPhotosAbroad = findPhotosTravel(engines) === 'abroad';
  return {
    ...config.operator,
    areDocumentsReviewed: config.legalDocumentsReviewed === nameReviewedVersion(sendsPhotosAbroad),
    sendsPhotosAbroad,
  };
}

import { z } from 'zod';
import { ACCOUNT_TEXTS, registerBody } from '#shared/contract/account.ts';

/** The two consents. They are not sent: the server gets the version of the shown documents. */
export const consentSchema = z.object({
  acceptPolicy: z.boolean().refine(Boolean, ACCOUNT_TEXTS.policyNotAccepted),
  acceptDataProcessing: z.boolean().refine(Boolean, 'Необходимо согласие на обработку персональных данных'),
});

export const registrationSchema = registerBody.pick({ email: true, password: true }).extend(consentSchema.shape);

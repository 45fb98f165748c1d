import { z } from 'zod';
import { ACCOUNT_TEXTS, registerBody } from '#shared/contract/account.ts';

/** The two consents are not sent: the server gets the address, the password and the version of the shown documents. */
export const registrationSchema = registerBody.pick({ email: true, password: true }).extend({
  acceptPolicy: z.boolean().refine(Boolean, ACCOUNT_TEXTS.policyNotAccepted),
  acceptDataProcessing: z.boolean().refine(Boolean, 'Необходимо согласие на обработку персональных данных'),
});

import { z } from 'zod';
import { ACCOUNT_TEXTS, registerBody } from '#shared/contract/account.ts';

/** The two consents stay in the form: the server takes {email, password} and the version of what was shown. */
export const registrationSchema = registerBody.pick({ email: true, password: true }).extend({
  acceptPolicy: z.boolean().refine(Boolean, ACCOUNT_TEXTS.policyNotAccepted),
  acceptDataProcessing: z.boolean().refine(Boolean, 'Необходимо согласие на обработку персональных данных'),
});

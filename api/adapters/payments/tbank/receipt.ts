import type { ReceiptSettings } from '#api/adapters/payments/payment-provider.ts';

/** T-Bank's words for what the settings say in YooKassa's codes. */
const TAXES: Record<number, string> = {
  ...{ 1: 'none', 2: 'vat0', 3: 'vat10', 4: 'vat20', 5: 'vat110', 6: 'vat120' },
  ...{ 7: 'vat5', 8: 'vat7', 9: 'vat105', 10: 'vat107', 11: 'vat22', 12: 'vat122' },
};
const TAXATIONS: Record<number, string> = {
  ...{ 1: 'osn', 2: 'usn_income', 3: 'usn_income_outcome', 5: 'esn', 6: 'patent' },
};

interface Sale {
  receiptItem: string;
  buyerEmail: string | null;
  amountMinor: number;
}

/** A receipt of 54-ФЗ in format 1.2: one thing, sold once. */
export function buildReceipt({ receiptItem, buyerEmail, amountMinor }: Sale, settings: ReceiptSettings) {
  return {
    FfdVersion: '1.2',
    ...(buyerEmail === null ? {} : { Email: buyerEmail }),
    Taxation: settings.taxSystem && TAXATIONS[settings.taxSystem],
    Items: [
      {
        Name: receiptItem,
        Price: amountMinor,
        Quantity: 1,
        Amount: amountMinor,
        Tax: TAXES[settings.vatCode],
        PaymentMethod: settings.mode,
        PaymentObject: settings.subject,
        MeasurementUnit: 'шт',
      },
    ],
  };
}

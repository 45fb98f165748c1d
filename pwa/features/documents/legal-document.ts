/** A numbered clause, a list below the clause before it, a table, or a question to the operator's lawyer. */
export type DocumentBlock = string | readonly string[] | DocumentTable | LawyerNote;

export interface DocumentTable {
  caption: string;
  head: readonly string[];
  rows: ReadonlyArray<readonly string[]>;
}

/** A question to the operator's lawyer, shown only while the document is a draft. */
export interface LawyerNote {
  lawyerNote: string;
}

export interface DocumentSection {
  title: string;
  blocks: readonly DocumentBlock[];
}

/** The text of one legal page. Links are written as «[слова](/адрес)». */
export interface LegalDocument {
  lead: string;
  sections: readonly DocumentSection[];
}

/** A numbered clause, a list below the clause before it, a table, or a question to the operator's lawyer. */
export type DocumentBlock = string | readonly string[] | DocumentTable | LawyerNote;

export interface DocumentTable {
  caption: string;
  head: readonly string[];
  rows: ReadonlyArray<readonly string[]>;
}

/** Shown only while the document is a draft. */
export interface LawyerNote {
  lawyerNote: string;
}

export interface DocumentSection {
  title: string;
  blocks: readonly DocumentBlock[];
}

/** The text of one legal page. A link inside it is written «[слова](/адрес)». */
export interface LegalDocument {
  lead: string;
  sections: readonly DocumentSection[];
}

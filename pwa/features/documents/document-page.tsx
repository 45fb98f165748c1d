import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Notice } from '#pwa/components/notice.tsx';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import type { Operator } from '#shared/contract/operator.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { DocumentSection, sectionId } from './document-section.tsx';
import { DocumentText } from './document-text.tsx';
import type { LegalDocument } from './legal-document.ts';
import { OperatorGate, operatorQuery } from './operator-gate.tsx';
import { SampleOperatorNotice } from './sample-operator-notice.tsx';

const VERSION_DATE = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'UTC' });

/** The day of a version: «21 ноября 2026 г.» */
function nameDay(version: string): string {
  return VERSION_DATE.format(new Date(version.slice(-'2026-11-21'.length)));
}

export interface DocumentPageProps {
  title: string;
  /** Of this text. That of all documents, if absent. */
  version?: string;
  /** Writes the text, which depends on the operator, the operator's settings and the tools. */
  write: (operator: Operator, offered: readonly GenerationKind[]) => LegalDocument;
}

/**
 * A legal page with its version, contents and numbered sections. It is marked as a draft until the operator's lawyer
 * has approved it.
 */
export function DocumentPage({ title, version = DOCUMENTS_VERSION, write }: DocumentPageProps) {
  const offered = useOffered();
  const scope = useQuery(operatorQuery).data?.sendsPhotosAbroad ? ' с передачей фото за границу' : '';
  return (
    <div className="max-w-[1120px] mx-auto px-5 md:px-10 py-8 md:py-12">
      <h1 className="ptitle max-w-[24ch]">{nb(title)}</h1>
      <p className="num text-sm text-muted mt-3 mb-6">{nb(`Редакция от ${nameDay(version)}${scope}`)}</p>
      <OperatorGate>
        {(operator) => <DocumentBody document={write(operator, offered)} operator={operator} />}
      </OperatorGate>
    </div>
  );
}

function DocumentBody({ document: { lead, sections }, operator }: { document: LegalDocument; operator: Operator }) {
  const isDraft = !operator.areDocumentsReviewed;
  const titles = sections.map((section) => section.title);
  return (
    <>
      <div className="grid gap-3 max-w-[760px]">
        {isDraft && (
          <Notice tone="warning" title="Проект документа. Перед публикацией его должен проверить юрист оператора" />
        )}
        {operator.isSample && <SampleOperatorNotice />}
      </div>
      <div className="grid lg:grid-cols-[minmax(0,1fr)_260px] gap-x-14">
        <article className="text-lg max-w-[72ch] min-w-0 mt-6 [overflow-wrap:anywhere]">
          <p className="[overflow-wrap:anywhere]">
            <DocumentText>{lead}</DocumentText>
          </p>
          {sections.map((section, index) => (
            <DocumentSection key={section.title} section={section} number={index + 1} isDraft={isDraft} />
          ))}
        </article>
        <nav
          aria-label="Содержание"
          className="max-lg:hidden self-start sticky top-[calc(var(--header-h)+32px)] mt-6 border-l border-line"
        >
          <Contents titles={titles} />
        </nav>
        <details className="group lg:hidden row-start-1 mt-4 border-y border-line">
          <summary className="flex items-center gap-1.5 min-h-11 cursor-pointer font-medium list-none [&::-webkit-details-marker]:hidden">
            <ChevronDown className="ic ic-s transition-transform group-open:rotate-180" />
            Содержание
          </summary>
          <Contents titles={titles} />
        </details>
      </div>
    </>
  );
}

function Contents({ titles }: { titles: string[] }) {
  return (
    <ol className="text-sm pb-2">
      {titles.map((title, index) => (
        <li key={title}>
          <a
            className="flex gap-2 py-3 lg:pl-4 text-muted no-underline hover:text-ink"
            href={`#${sectionId(index + 1)}`}
          >
            <span className="num min-w-5">{index + 1}.</span>
            <span>
              <DocumentText>{title}</DocumentText>
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

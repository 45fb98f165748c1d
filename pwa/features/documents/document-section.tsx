import { DocumentText } from './document-text.tsx';
import type { DocumentBlock, DocumentSection as Section } from './legal-document.ts';

export function sectionId(number: number): string {
  return `section-${number}`;
}

interface DocumentSectionProps {
  section: Section;
  number: number;
  /** Whether notes to the lawyer are shown. */
  isDraft: boolean;
}

/** One numbered section. Its clauses are «2.1», «2.2» … */
export function DocumentSection({ section: { title, blocks }, number, isDraft }: DocumentSectionProps) {
  const shown = blocks.filter((block) => isDraft || !isLawyerNote(block));
  return (
    <section aria-labelledby={sectionId(number)}>
      <h2 id={sectionId(number)} className="text-xl font-semibold pt-8 pb-3">
        <span className="num">{number}.</span> <DocumentText>{title}</DocumentText>
      </h2>
      <div className="grid gap-3">
        {shown.map((block, index) => (
          <Block key={JSON.stringify(block)} block={block} clause={`${number}.${countClauses(shown, index)}`} />
        ))}
      </div>
    </section>
  );
}

function Block({ block, clause }: { block: DocumentBlock; clause: string }) {
  if (typeof block === 'string') {
    return (
      <p className="md:flex gap-3 [overflow-wrap:anywhere]">
        <span className="num text-subtle md:min-w-9 flex-none max-md:mr-2">{clause}</span>
        <span className="min-w-0">
          <DocumentText>{block}</DocumentText>
        </span>
      </p>
    );
  }
  if (isLawyerNote(block)) {
    return (
      <p className="md:ml-12 border-l-2 border-warning pl-3 text-sm text-muted">
        <strong className="text-warning">Вопрос юристу.</strong> <DocumentText>{block.lawyerNote}</DocumentText>
      </p>
    );
  }
  if ('caption' in block) {
    return (
      <table className="md:ml-12 w-full md:w-[calc(100%-3rem)] text-left">
        <caption className="text-left text-sm text-muted pb-2">
          <DocumentText>{block.caption}</DocumentText>
        </caption>
        <thead>
          <tr className="border-b border-control text-sm">
            {block.head.map((cell) => (
              <th key={cell} scope="col" className="py-2 pr-3 font-semibold">
                <DocumentText>{cell}</DocumentText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row) => (
            <tr key={row.join()} className="border-b border-line">
              {row.map((cell) => (
                <td key={cell} className="num py-2 pr-3">
                  <DocumentText>{cell}</DocumentText>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  return (
    <ul className="md:ml-12 grid gap-1.5 list-disc pl-5 marker:text-subtle">
      {block.map((item) => (
        <li key={item}>
          <DocumentText>{item}</DocumentText>
        </li>
      ))}
    </ul>
  );
}

function isLawyerNote(block: DocumentBlock): block is { lawyerNote: string } {
  return typeof block === 'object' && 'lawyerNote' in block;
}

/** The number of clauses up to and including this block. */
function countClauses(blocks: readonly DocumentBlock[], index: number): number {
  return blocks.slice(0, index + 1).filter((block) => typeof block === 'string').length;
}

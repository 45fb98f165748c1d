import { useRef } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Field, type FieldProps } from '#pwa/components/field.tsx';
import { NAME_PLACEHOLDERS } from '#shared/rules/result-names.ts';

export interface NameTemplateFieldProps extends Pick<FieldProps, 'ref' | 'error' | 'hint' | 'maxLength'> {
  value: string;
  onChange: (template: string) => void;
}

/** A template of names, and buttons for what it may contain. */
export function NameTemplateField({ value, onChange, ...field }: NameTemplateFieldProps) {
  const area = useRef<HTMLDivElement>(null);
  const insert = (placeholder: string) => {
    const input = area.current?.querySelector('input');
    if (!input) return;
    const { selectionStart, selectionEnd } = input;
    const from = selectionStart ?? value.length;
    input.setRangeText(placeholder, from, selectionEnd ?? from, 'end');
    onChange(input.value);
    input.focus();
  };
  return (
    <div ref={area} className="grid gap-2">
      <Field
        {...field}
        label="Шаблон названий"
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        {NAME_PLACEHOLDERS.map((placeholder) => (
          <Button
            key={placeholder}
            variant="second"
            size="sm"
            aria-label={`Вставить ${placeholder}`}
            onClick={() => insert(placeholder)}
          >
            {placeholder}
          </Button>
        ))}
      </div>
    </div>
  );
}

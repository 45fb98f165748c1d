import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, PencilLine, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button, buttonClass } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { nb } from '#pwa/format.ts';
import type { GenerationResult } from '#shared/contract/generations.ts';
import {
  createSettingSet,
  deleteSettingSet,
  type NewSettingSet,
  renameSettingSet,
} from '#shared/contract/tool-settings.ts';
import { SET_NAME_MAX_LENGTH, type SetKind } from '#shared/rules/setting-sets.ts';
import { type SetOf, type SettingsOf, toolSettingsQuery, useLastSettings, useSettingSets } from './tool-settings.ts';

export interface SettingSetsProps<Kind extends SetKind> {
  kind: Kind;
  /** What the form has now; null while a choice is missing. */
  settings: SettingsOf<Kind> | null;
  /** A name for it, which the person may change. */
  suggestedName: string;
  /** Whether the form shows these settings. */
  isShown: (settings: SettingsOf<Kind>) => boolean;
  isDefault: boolean;
  /** The generation whose settings the form has taken over. */
  liked: { settings: SettingsOf<Kind>; results: readonly Pick<GenerationResult, 'title'>[] } | null;
  onChoose: (settings: SettingsOf<Kind>) => void;
  onReset: () => void;
  className?: string;
}

/** What is being named: the settings of the form, or a set that has a name. */
type Naming = { saves: NewSettingSet } | { renames: NamedSet };
type NamedSet = SetOf<SetKind>;

/** «Наборы»: named settings to choose from, where the shown ones come from, and the ways to keep or to reset them. */
export function SettingSets<Kind extends SetKind>(props: SettingSetsProps<Kind>) {
  const { kind, settings, suggestedName, isShown, isDefault, onChoose, onReset, className = '' } = props;
  const sets = useSettingSets(kind);
  const chosen = sets.find((set) => isShown(set.settings)) ?? null;
  const source = useSource(props, chosen !== null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const canSave = settings !== null && chosen === null && (!isDefault || sets.length > 0);
  if (sets.length === 0 && isDefault) return null;
  return (
    <section className={className} aria-label="Наборы настроек">
      {sets.length > 0 && (
        <div className="flex items-center gap-1">
          <fieldset className="flex gap-1 overflow-x-auto p-1 -m-1 min-w-0 flex-1">
            <legend className="sr-only">Наборы</legend>
            <span className="sec self-center flex-none mr-1" aria-hidden="true">
              Наборы:
            </span>
            {sets.map((set) => (
              <button
                key={set.id}
                type="button"
                className={buttonClass({ variant: set === chosen ? 'second' : 'quiet', size: 'sm' }, 'flex-none')}
                aria-pressed={set === chosen}
                onClick={() => onChoose(set.settings)}
              >
                {set.name}
              </button>
            ))}
          </fieldset>
          {chosen && <SetMenu set={chosen} onRename={() => setNaming({ renames: chosen })} />}
        </div>
      )}
      {source && (
        <p className="text-sm text-muted mt-1" role="status">
          {nb(source)}
        </p>
      )}
      <div className="flex flex-wrap gap-x-4">
        {canSave && (
          <button
            type="button"
            className={LINK}
            onClick={() => setNaming({ saves: { kind, name: suggestedName, settings } as NewSettingSet })}
          >
            Сохранить как набор
          </button>
        )}
        {!isDefault && (
          <button type="button" className={LINK} onClick={onReset}>
            Сбросить настройки
          </button>
        )}
      </div>
      {naming && <NameDialog naming={naming} onClose={() => setNaming(null)} />}
    </section>
  );
}

const LINK = 'link text-sm min-h-11';

/** Where the shown settings come from. Null when a set says it, or they are the usual ones. */
function useSource<Kind extends SetKind>(
  { kind, isShown, isDefault, liked }: SettingSetsProps<Kind>,
  isSet: boolean,
): string | null {
  const last = useLastSettings(kind);
  if (liked && isShown(liked.settings)) {
    const [first] = liked.results;
    return first ? `Настройки результата «${first.title}»` : 'Настройки выбранного результата';
  }
  if (isSet || isDefault) return null;
  return last && isShown(last) ? 'Настройки как в прошлый раз' : null;
}

function SetMenu({ set, onRename }: { set: NamedSet; onRename: () => void }) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(toolSettingsQuery);
  const bringBack = useSingleMutation({
    mutationFn: ({ kind, name, settings }: NamedSet) =>
      callApi(createSettingSet, { body: { kind, name, settings } as NewSettingSet }),
    onSuccess: refresh,
    onError: (error) => toastFailure('Не удалось вернуть набор', error, TRY_AGAIN),
  });
  const removal = useSingleMutation({
    mutationFn: ({ id }: NamedSet) => callApi(deleteSettingSet, { params: { id } }),
    onSuccess: async (_, removed) => {
      const action = { label: 'Вернуть', onSelect: () => bringBack.mutate(removed) };
      toast({ title: `Набор «${removed.name}» удалён`, action });
      await refresh();
    },
    onError: (error) => toastFailure('Не удалось удалить набор', error, TRY_AGAIN),
  });
  return (
    <Menu
      trigger={
        <IconButton label={`Изменить набор «${set.name}»`} className="flex-none">
          <Ellipsis className="ic" />
        </IconButton>
      }
    >
      <MenuItem icon={<PencilLine className="ic" />} onSelect={onRename}>
        Переименовать
      </MenuItem>
      <MenuItem icon={<Trash2 className="ic" />} onSelect={() => removal.mutate(set)}>
        Удалить набор
      </MenuItem>
    </Menu>
  );
}

const TRY_AGAIN = 'Проверьте интернет и попробуйте ещё раз';

/** Asks for the name of a set. A refused name is said below the field. */
function NameDialog({ naming, onClose }: { naming: Naming; onClose: () => void }) {
  const queryClient = useQueryClient();
  const formId = useId();
  const isNew = 'saves' in naming;
  const [name, setName] = useState(isNew ? naming.saves.name : naming.renames.name);
  const keeping = useSingleMutation({
    mutationFn: () =>
      isNew
        ? callApi(createSettingSet, { body: { ...naming.saves, name } })
        : callApi(renameSettingSet, { params: { id: naming.renames.id }, body: { name } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(toolSettingsQuery);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keeping.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={isNew ? 'Сохранить как набор' : 'Переименовать набор'}
      description={
        isNew ? nb('Набор появится над настройками этого инструмента на всех ваших устройствах.') : undefined
      }
      footer={
        <>
          <Button variant="second" onClick={onClose}>
            Отмена
          </Button>
          <Button
            type="submit"
            form={formId}
            loading={keeping.isPending}
            loadingText="Сохраняем…"
            disabledReason={name.trim() === '' ? 'Введите название' : null}
          >
            Сохранить
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Field
          label="Название набора"
          value={name}
          maxLength={SET_NAME_MAX_LENGTH}
          autoComplete="off"
          error={keeping.error ? describeError(keeping.error, TRY_AGAIN) : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

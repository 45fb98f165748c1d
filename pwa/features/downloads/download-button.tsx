import { useQuery } from '@tanstack/react-query';
import { Download as DownloadIcon, Ellipsis, ListChecks } from 'lucide-react';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import type { DownloadTarget } from './download-file.ts';
import { type Download, type TakeAwayOptions, useDownload } from './use-download.tsx';

export interface DownloadButtonProps extends Omit<ButtonProps, 'onClick' | 'loading' | 'loadingText'>, TakeAwayOptions {
  target: DownloadTarget;
  /** Who may download also gets a menu with the documents' dialog. */
  hasMenu?: boolean;
}

/** Downloads with one press. Who has never paid gets the dialog instead. */
export function DownloadButton({ target, generationId, failed, hasMenu = false, ...button }: DownloadButtonProps) {
  const download = useDownload(target, { generationId, failed });
  const start = <StartDownload download={download} {...button} />;
  return (
    <>
      {hasMenu ? (
        <div className="flex gap-2 *:first:flex-1">
          {start}
          <DownloadMenu download={download} />
        </div>
      ) : (
        start
      )}
      {download.dialog}
    </>
  );
}

/** The button of a download whose state is kept elsewhere. */
export function StartDownload({
  download,
  icon = <DownloadIcon className="ic" />,
  children = 'Скачать',
  ...button
}: Omit<ButtonProps, 'onClick' | 'loading' | 'loadingText'> & { download: Download }) {
  return (
    <Button
      {...button}
      icon={icon}
      loading={download.busyText !== null}
      loadingText={download.busyText ?? ''}
      onClick={download.start}
    >
      {children}
    </Button>
  );
}

/** The way to the documents' dialog for who may download. The others get it from the button itself. */
export function DownloadMenu({ download }: { download: Pick<Download, 'showOptions'> }) {
  const premium = useQuery(premiumStatusQuery).data;
  if (!premium?.hasSuccessfulTransactions) return null;
  return (
    <Menu
      trigger={
        <IconButton label="Ещё о скачивании">
          <Ellipsis className="ic" />
        </IconButton>
      }
    >
      <MenuItem icon={<ListChecks className="ic ic-s" />} onSelect={download.showOptions}>
        Варианты скачивания
      </MenuItem>
    </Menu>
  );
}

export interface DownloadIconButtonProps extends TakeAwayOptions {
  target: DownloadTarget;
  label: string;
}

/** An icon that downloads with one press. */
export function DownloadIconButton({ target, label, generationId }: DownloadIconButtonProps) {
  const { start, busyText, dialog } = useDownload(target, { generationId });
  return (
    <>
      <IconButton
        label={label}
        className={busyText === null ? '' : 'is-loading'}
        aria-busy={busyText !== null || undefined}
        onClick={start}
      >
        <DownloadIcon className="ic" />
      </IconButton>
      {dialog}
    </>
  );
}

import { EllipsisVertical } from 'lucide-react';
import type { ComponentProps } from 'react';
import { IconButton } from '#pwa/components/icon-button.tsx';

/** Opens the menu of the signed-in person, below 768 px. */
export function MenuButton(props: Omit<ComponentProps<typeof IconButton>, 'label'>) {
  return (
    <IconButton {...props} label="Меню пользователя" className="mob">
      <EllipsisVertical className="ic" />
    </IconButton>
  );
}

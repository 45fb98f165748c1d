import { Drawer, type DrawerProps } from '#pwa/components/drawer.tsx';
import { SidebarDrawer } from './sidebar-drawer.tsx';

/**
 * The sidebar as a drawer, below 1024 px. Apart from the layout, because its code is loaded when it is first opened.
 */
export default function MenuDrawer({ open, onOpenChange }: Pick<DrawerProps, 'open' | 'onOpenChange'>) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="Меню">
      <SidebarDrawer onClose={() => onOpenChange(false)} />
    </Drawer>
  );
}

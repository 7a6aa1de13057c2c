import { Menu } from '@base-ui/react/menu'
import { EllipsisVertical, type LucideIcon } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import '#src/ui/popups/menu.css'

export interface RowAction {
  readonly label: string
  readonly Icon: LucideIcon
  readonly isDanger?: boolean
  run(): void
}

interface RowMenuProps {
  /** Name of the row. */
  name: string
  actions: readonly RowAction[]
}

/** The actions on an account or a space. */
export function RowMenu({ name, actions }: RowMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger className="icon-button settings-menu" aria-label={t('More options for {name}', { name })}>
        <EllipsisVertical aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            {actions.map(({ label, Icon, isDanger = false, run }) => (
              <Menu.Item
                key={label}
                className={isDanger ? 'menu-item menu-danger' : 'menu-item'}
                onClick={run}
              >
                <Icon aria-hidden="true" /> {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

import { Menu } from '@base-ui/react/menu'
import { CheckCheck } from 'lucide-react'
import { t } from '#src/language/texts.ts'

/** Menu item that marks a channel or space as read. */
export function MarkReadItem({ isUnread, mark }: { isUnread: boolean; mark: () => Promise<void> }) {
  if (!isUnread) return null
  return (
    // A failed request is repeated when the messages are read.
    <Menu.Item className="menu-item" onClick={() => void mark().catch(() => undefined)}>
      <CheckCheck aria-hidden="true" /> {t('Mark as read')}
    </Menu.Item>
  )
}

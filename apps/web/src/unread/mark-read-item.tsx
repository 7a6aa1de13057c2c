import { Menu } from '@base-ui/react/menu'
import { CheckCheck } from 'lucide-react'
import { t } from '#src/language/texts.ts'

/** In the menu of what may have something unread. */
export function MarkReadItem({ isUnread, mark }: { isUnread: boolean; mark: () => Promise<void> }) {
  if (!isUnread) return null
  return (
    // What is not told now is told when it is read.
    <Menu.Item className="menu-item" onClick={() => void mark().catch(() => undefined)}>
      <CheckCheck aria-hidden="true" /> {t('Mark as read')}
    </Menu.Item>
  )
}

import { Menu } from '@base-ui/react/menu'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { orderedSpaces } from '#src/store/selectors.ts'
import { moveSpace, positionAfterStep } from './space-order.ts'

const ways = [
  { way: 'up', label: t('Move up'), Icon: ArrowUp },
  { way: 'down', label: t('Move down'), Icon: ArrowDown },
] as const

interface MoveItemsProps {
  spaceId: string
  /** Called with an announcement for screen readers. */
  onMoved: (announcement: string) => void
}

/** Menu items that move a space in the rail, for users who cannot drag it. */
export function MoveItems({ spaceId, onMoved }: MoveItemsProps) {
  const session = useSession()
  const spaces = useAppState((state) => state.spaces)
  const spaceOrder = useAppState((state) => state.spaceOrder)
  const ids = useMemo(() => orderedSpaces({ spaces, spaceOrder }).map(({ id }) => id), [spaces, spaceOrder])
  return ways.map(({ way, label, Icon }) => {
    const position = positionAfterStep(ids, spaceId, way)
    return (
      position !== null && (
        <Menu.Item
          key={way}
          className="menu-item"
          onClick={() => onMoved(moveSpace(session, spaceId, position))}
        >
          <Icon aria-hidden="true" /> {label}
        </Menu.Item>
      )
    )
  })
}

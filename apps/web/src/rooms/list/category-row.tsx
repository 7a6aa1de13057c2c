import type { Room } from '@foyer/protocol/rooms'
import { ChevronDown, Plus } from 'lucide-react'
import { type KeyboardEvent, memo, useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { isRightToLeft } from '#src/ui/direction.ts'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { roomName } from '../names/room-name.ts'
import type { RoomDialog } from '../room-dialogs.tsx'
import './room-row.css'
import { RoomTools } from '../room-tools.tsx'
import type { MoveActions, RowLook } from './use-room-moves.ts'

interface CategoryRowProps extends RowLook {
  category: Room
  isManaged: boolean
  mayCreate: boolean
  isFolded: boolean
  onTurn: (categoryId: string) => void
  actions: MoveActions
  onOpen: (dialog: RoomDialog) => void
}

/** The name of a category. Clicking it collapses or expands its rooms. */
export const CategoryRow = memo(function CategoryRow(props: CategoryRowProps) {
  const { category, isManaged, mayCreate, isFolded, onTurn, isDragged, mark, actions, onOpen } = props
  const handlers = useMemo(
    () => (isManaged ? actions.handlersOf(category.id) : {}),
    [isManaged, actions, category.id],
  )
  const menu = usePopup({ kind: 'menu' })
  function onKeyDown({ key }: KeyboardEvent) {
    if (key === (isFolded === isRightToLeft() ? 'ArrowLeft' : 'ArrowRight')) onTurn(category.id)
  }
  return (
    <div
      className="room-row room-category-row"
      data-room={category.id}
      data-dragged={isDragged || undefined}
      data-mark={mark}
      {...handlers}
      {...menu.row}
    >
      <h2 className="room-category">
        <button
          type="button"
          className="category-toggle"
          aria-expanded={!isFolded}
          onClick={() => onTurn(category.id)}
          onKeyDown={onKeyDown}
        >
          <span className="category-name" dir="auto">
            {roomName(category)}
          </span>
          <ChevronDown aria-hidden="true" className="category-chevron" />
        </button>
      </h2>
      <RoomTools
        menu={menu}
        room={category}
        isManaged={isManaged}
        isTabStop
        canStep={actions.canStep}
        onStep={actions.step}
        onOpen={onOpen}
      />
      {mayCreate && (
        <AddRoom category={category} onClick={() => onOpen({ kind: 'create', parentId: category.id })} />
      )}
    </div>
  )
})

function AddRoom({ category, onClick }: { category: Room; onClick: () => void }) {
  const label = t('Create a room in {room}', { room: roomName(category) })
  return (
    <Hint label={label}>
      <button type="button" className="room-tool" aria-label={label} onClick={onClick}>
        <Plus aria-hidden="true" />
      </button>
    </Hint>
  )
}

import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { Suspense } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useIsFrozen, useIsTimedOut } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { ErrorBoundary } from '#src/ui/loading/error-boundary.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import type { ShowBlocked } from '../blocked/use-blocked-runs.ts'
import { MessageRow } from '../rows/message-row.tsx'
import { OutgoingRow } from '../rows/outgoing-row.tsx'
import { DayDivider, Gap, NewDivider } from './list-parts.tsx'
import type { Item } from './row-window.ts'
import { isStop, type Row } from './rows.ts'

/** Loaded lazily, because few users block anybody. */
const BlockedLine = lazyComponent(() =>
  import('../blocked/blocked-line.tsx').then((module) => module.BlockedLine),
)

interface ListItemsProps {
  items: readonly Item[]
  /** The row that is the list's Tab stop: the focused one, otherwise the last. */
  tabStop: string | null
  editingId: string | null
  onEdit: (id: string | null) => void
  onDelete: (message: Message) => void
  onShowBlocked: ShowBlocked
}

/** The rendered rows, one `li` each, and gaps in place of the rows that are not rendered. */
export function ListItems({ items, tabStop, editingId, onEdit, onDelete, onShowBlocked }: ListItemsProps) {
  const { nameOf, may, spaceId } = useChannel()
  const isTimedOut = useIsTimedOut(spaceId)
  const isFrozen = useIsFrozen(spaceId)
  const me = useAppState((state) => state.me)
  const mayManage = may(Permission.ManageMessages)
  const stops = items.flatMap((item) => (item.kind === 'row' && isStop(item.row) ? [item.key] : []))
  const stop = tabStop !== null && stops.includes(tabStop) ? tabStop : stops.at(-1)

  function renderRow(row: Row) {
    if (row.kind === 'day') return <DayDivider key={row.key} date={row.date} />
    if (row.kind === 'new') return <NewDivider key={row.key} count={row.count} />
    if (row.kind === 'blocked')
      return (
        <Suspense key={row.key} fallback={<li />}>
          <BlockedLine row={row} isTabStop={row.key === stop} onShow={onShowBlocked} />
        </Suspense>
      )
    if (row.kind === 'outgoing') {
      const name = me === null ? '' : nameOf(me)
      const { message, grouped } = row
      return <OutgoingRow key={row.key} message={message} myId={me?.id ?? ''} name={name} grouped={grouped} />
    }
    const isMine = row.message.author.id === me?.id
    return (
      <ErrorBoundary key={row.key} fallback={() => <BrokenRow id={row.key} />}>
        <MessageRow
          message={row.message}
          name={nameOf(row.message.author, row.message.member)}
          grouped={row.grouped}
          mayEdit={isMine && !isTimedOut && !isFrozen}
          mayDelete={(isMine && !isFrozen) || mayManage}
          isEditing={editingId === row.key}
          isTabStop={row.key === stop}
          onEdit={onEdit}
          onDelete={onDelete}
        />
      </ErrorBoundary>
    )
  }

  return items.map((item) =>
    item.kind === 'gap' ? <Gap key={item.key} height={item.height} /> : renderRow(item.row),
  )
}

/** Replaces a message that fails to render, so that the rest of the list stays. */
function BrokenRow({ id }: { id: string }) {
  return (
    <li className="message message-broken" data-row={id} tabIndex={-1}>
      <span className="message-body">{t('This message can’t be displayed.')}</span>
    </li>
  )
}

import { useCallback, useMemo, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { showsMessages } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'
import { useShownRoomId } from '#src/thread-rooms/in-use/beside.ts'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { useInSight } from '#src/ui/use-in-sight.ts'
import type { RoomDialog } from '../room-dialogs.tsx'
import { CategoryRow } from './category-row.tsx'
import { collapsedCategories, turnCategory } from './collapsed.ts'
import { RoomChunk } from './room-chunk.tsx'
import './room-list.css'
import { roomName } from '../names/room-name.ts'
import { RoomRow } from './room-row.tsx'
import { type Chunk, rowsOf, type ShownGroup, shownGroups } from './shown-rooms.ts'
import { useRoomKeys } from './use-room-keys.ts'
import { useRoomList } from './use-room-list.ts'
import { useRoomMoves } from './use-room-moves.ts'

const RoomDialogs = lazyPopup(() => import('../room-dialogs.tsx').then((module) => module.RoomDialogs))

interface RoomListProps {
  spaceId: string
  /** The open room or thread. */
  openId: string | null
  /** The open room, or the room of the open thread. */
  currentRoomId: string
}

/** A space's rooms by category, unread ones highlighted. Members who manage rooms move and edit them here. */
export function RoomList({ spaceId, openId, currentRoomId }: RoomListProps) {
  const listed = useRoomList(spaceId)
  const { signs } = listed
  const readThreaded = useMemo(() => threadedRooms(spaceId), [spaceId])
  const threaded = useAppState(readThreaded)
  const seenId = useShownRoomId(openId ?? '')
  const isSeen = useAppState((state) => showsMessages(state, openId ?? ''))
  const list = useRef<HTMLElement>(null)
  const { actions, lookOf, isDragging, draggedId, announcement } = useRoomMoves(listed, list)
  const onOpen = useRoomDialog(spaceId)
  const { folded, turn } = useFolded()
  const groups = useMemo(
    () => shownGroups(listed.groups, { folded, signs, currentRoomId }),
    [listed.groups, folded, signs, currentRoomId],
  )
  const rows = useMemo(() => rowsOf(groups), [groups])
  const { lastId, wantedId, handlers } = useRoomKeys(list, rows)
  const stop = tabStop(groups, rows, [lastId, currentRoomId])
  const kept = [stop, wantedId, draggedId, currentRoomId]
  // Finds the row by its room id, because the row of an open thread's room has no `aria-current`.
  useInSight(list, currentRoomId, `[data-room="${CSS.escape(currentRoomId ?? '')}"]`)

  function renderRooms({ rooms, before }: Chunk, count: number) {
    return rooms.map((room, index) => (
      <RoomRow
        key={room.id}
        room={room}
        position={before + index + 1}
        count={count}
        {...lookOf(room.id)}
        {...signs[room.id]}
        isCurrent={room.id === openId}
        isSeen={isSeen && room.id === seenId}
        isPrivate={listed.hidden.has(room.id)}
        hasThreads={threaded.includes(room.id)}
        isManaged={listed.managed.has(room.id)}
        isTabStop={room.id === stop}
        actions={actions}
        onOpen={onOpen}
      />
    ))
  }

  return (
    <nav
      ref={list}
      className="room-list"
      aria-label={t('Rooms')}
      data-dragging={isDragging || undefined}
      {...handlers}
    >
      {groups.map(({ category, count, chunks }) => (
        <section
          key={category?.id ?? 'loose'}
          aria-label={category === null ? undefined : roomName(category)}
        >
          {category !== null && (
            <CategoryRow
              category={category}
              {...lookOf(category.id)}
              isManaged={listed.managed.has(category.id)}
              mayCreate={listed.mayCreate}
              isFolded={folded.has(category.id)}
              onTurn={turn}
              actions={actions}
              onOpen={onOpen}
            />
          )}
          {chunks.map((chunk) => (
            <RoomChunk
              key={chunk.before}
              list={list}
              count={chunk.rooms.length}
              above={chunk.above}
              isKept={chunk.rooms.some(({ id }) => kept.includes(id))}
            >
              {() => renderRooms(chunk, count)}
            </RoomChunk>
          ))}
        </section>
      ))}
      {listed.error !== null && (
        <p role="alert" className="form-error">
          {listed.error}
        </p>
      )}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </nav>
  )
}

/**
 * Returns a selector for the ids of the rooms with loaded threads, as one string that stays the same until an id is added or
 * removed. It recomputes only if a thread changes, because every keystroke changes the state.
 */
function threadedRooms(spaceId: string): (state: Pick<State, 'threads'>) => string {
  let seen: State['threads'] | null = null
  let text = ''
  return ({ threads }) => {
    if (seen === threads) return text
    seen = threads
    const ids = Object.values(threads).map((thread) => (thread.space_id === spaceId ? thread.parent_id : ''))
    text = [...new Set(ids)].sort().join()
    return text
  }
}

function useRoomDialog(spaceId: string) {
  const openDialog = useOpenDialog()
  return useCallback(
    (dialog: RoomDialog) =>
      openDialog((close) => <RoomDialogs spaceId={spaceId} dialog={dialog} onClose={close} />),
    [openDialog, spaceId],
  )
}

function useFolded() {
  const [folded, setFolded] = useState(() => collapsedCategories(window.localStorage))
  const turn = useCallback(
    (categoryId: string) => setFolded(turnCategory(window.localStorage, categoryId)),
    [],
  )
  return { folded, turn }
}

/** Returns the room that the Tab key stops at: the first of the wanted rooms that is listed, or the first listed room. */
function tabStop(
  groups: readonly ShownGroup[],
  rows: readonly string[],
  wanted: readonly (string | null)[],
): string | undefined {
  const first = groups.find(({ count }) => count > 0)?.chunks[0]?.rooms[0]?.id
  return wanted.find((id) => id !== null && rows.includes(id)) ?? first
}

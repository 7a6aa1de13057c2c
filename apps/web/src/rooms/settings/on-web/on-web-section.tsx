import type { Room } from '@foyer/protocol/rooms'
import type { WebRoom } from '@foyer/protocol/web-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { t } from '#src/language/texts.ts'
import { useIsFrozen } from '#src/permissions/use-permissions.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { ClosedRoom } from './closed-room.tsx'
import { OpenRoom } from './open-room.tsx'

/** Opens the room to everyone on the internet, or closes it. Only the owner of the space decides that. */
export function OnWebSection({ room }: { room: Room }) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.api(WebRooms).get(room.id, options),
    [room.id],
  )
  const { answer, again, change } = useAnswer(ask)
  const isFrozen = useIsFrozen(room.space_id)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  const show = (next: WebRoom) => change(() => next)
  const { value: state } = answer
  const refusal = refusalOf(state, isFrozen)
  return (
    <section className="settings-block">
      {refusal !== null && <p className="settings-note">{refusal}</p>}
      {state.web === null ? (
        refusal === null && <ClosedRoom room={room} onChange={show} />
      ) : (
        <OpenRoom room={room} state={state} web={state.web} isReadable={refusal === null} onChange={show} />
      )}
    </section>
  )
}

/** Returns why the room cannot be read on the web, whatever its owner chose; null if it can. */
function refusalOf(state: WebRoom, isFrozen: boolean): string | null {
  if (!state.is_allowed)
    return t('The administrators of this server don’t allow rooms to be read on the web.')
  if (!state.is_open)
    return t('This room can’t be read on the web because not everyone in the space can view it.')
  return isFrozen ? t('This space is frozen by the administrators of this server.') : null
}

import type { Room } from '@foyer/protocol/rooms'
import type { WebRoom } from '@foyer/protocol/web-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { type ReactNode, useCallback } from 'react'
import { t } from '#src/language/texts.ts'
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
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  const show = (next: WebRoom) => change(() => next)
  const { web } = answer.value
  return (
    <section className="settings-block">
      {web === null ? (
        <Refused state={answer.value}>
          <ClosedRoom room={room} onChange={show} />
        </Refused>
      ) : (
        <OpenRoom room={room} web={web} onChange={show} />
      )}
    </section>
  )
}

function Refused({ state, children }: { state: WebRoom; children: ReactNode }) {
  if (!state.is_allowed)
    return (
      <p className="settings-note">
        {t('The administrators of this server don’t allow rooms to be read on the web.')}
      </p>
    )
  if (!state.is_open)
    return (
      <p className="settings-note">
        {t('Not everyone in the space can view this room, so nobody else can read it on the web.')}
      </p>
    )
  return children
}

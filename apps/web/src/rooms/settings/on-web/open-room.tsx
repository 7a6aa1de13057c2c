import type { RoomOnWeb } from '@foyer/protocol/on-web'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { WebRoom } from '@foyer/protocol/web-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { EarlierWords } from './earlier-words.tsx'
import { IndexingSwitch } from './indexing-switch.tsx'

interface OpenRoomProps extends ChoiceProps {
  state: WebRoom
  /** False if something other than the room's own settings prevents people from reading it. */
  isReadable: boolean
}

interface ChoiceProps {
  room: Room
  web: RoomOnWeb
  onChange: (state: WebRoom) => void
}

/** A room on the web: the messages that can be read, its address, and the button to close it. */
export function OpenRoom({ room, state, web, isReadable, onChange }: OpenRoomProps) {
  const { client } = useSession()
  const closing = useAction()

  function close() {
    closing.run(async () => {
      await client.api(WebRooms).close(room.id)
      onChange({ ...state, web: null })
    })
  }

  return (
    <>
      {isReadable && (
        <>
          <p className="settings-note">
            {isWhole(web)
              ? t('Everyone on the internet can read everything that was written here.')
              : t('Everyone on the internet can read what’s been written here since {time}.', {
                  time: formatFull(web.since),
                })}{' '}
            <a href={`/read/${room.space_id}/${room.id}`} target="_blank" rel="noreferrer">
              {t('Open the web page')}
            </a>
          </p>
          {room.type !== RoomType.Forum && <EarlierSwitch room={room} web={web} onChange={onChange} />}
          <Indexing room={room} web={web} onChange={onChange} />
        </>
      )}
      <div className="danger-zone">
        <div className="settings-line">
          <p>
            <strong>{t('Take this room off the web')}</strong>
            <span>
              {t('After that, only members can read it. Search engines may keep copies for a while.')}
            </span>
          </p>
          <Button look="danger" pending={closing.pending} onClick={close}>
            {t('Take off the web')}
          </Button>
        </div>
        <ErrorLine message={closing.error} />
      </div>
    </>
  )
}

/** Returns true once earlier messages can also be read. */
function isWhole({ whole_from: wholeFrom }: RoomOnWeb): boolean {
  return wholeFrom !== null && Date.parse(wholeFrom) <= serverNow()
}

/** Turns earlier messages on after a confirmation, and off immediately. */
function EarlierSwitch({ room, web, onChange }: ChoiceProps) {
  const { client } = useSession()
  const saving = useAction()
  const [isAsking, setIsAsking] = useState(false)
  const save = async (backwards: boolean) => onChange(await client.api(WebRooms).open(room.id, { backwards }))
  return (
    <>
      <SwitchRow
        label={t('Include earlier messages')}
        description={
          web.whole_from === null
            ? t('Readable after a week, so that everyone can first choose how they appear.')
            : t('From {time}', { time: formatFull(web.whole_from) })
        }
        checked={web.whole_from !== null}
        disabled={saving.pending}
        onChange={(isOn) => (isOn ? setIsAsking(true) : saving.run(() => save(false)))}
      />
      <ErrorLine message={saving.error} />
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('Include earlier messages?')}
        action={t('Make readable in a week')}
        look="primary"
        run={() => save(true)}
      >
        <EarlierWords />
        <p>
          {t(
            'A message in the room lets members know. Each of them can hide their name or leave out their messages.',
          )}
        </p>
      </Confirm>
    </>
  )
}

function Indexing({ room, web, onChange }: ChoiceProps) {
  const { client } = useSession()
  const saving = useAction()
  const save = (isIndexed: boolean) =>
    saving.run(async () => onChange(await client.api(WebRooms).open(room.id, { is_indexed: isIndexed })))
  return (
    <>
      <IndexingSwitch checked={web.is_indexed} disabled={saving.pending} onChange={save} />
      <ErrorLine message={saving.error} />
    </>
  )
}

import type { Room } from '@foyer/protocol/rooms'
import { Suspense, useState } from 'react'
import { ChannelPane } from '#src/channels/pane/channel-pane.tsx'
import { t } from '#src/language/texts.ts'
import { setupProgress } from '#src/spaces/setup-progress.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { roomName } from '../names/room-name.ts'
import { RoomBeginning } from './room-beginning.tsx'
import { RoomDenied } from './room-denied.tsx'
import { useRoomChannel } from './use-room-channel.ts'

const WelcomePanel = lazyComponent(() =>
  import('#src/spaces/welcome/welcome-panel.tsx').then((module) => module.WelcomePanel),
)

interface TextRoomProps {
  room: Room
  messageId: string | undefined
  /** Path of the thread beside the room. */
  home: string | undefined
}

/** The messages of a room and the composer. */
export function TextRoom({ room, messageId, home }: TextRoomProps) {
  const channel = useRoomChannel(room, home)
  return (
    <ChannelPane
      channel={channel}
      beginning={<Beginning room={room} />}
      denied={<RoomDenied room={room} />}
      messageId={messageId}
    />
  )
}

function Beginning({ room }: { room: Room }) {
  const [isSettingUp] = useState(() => setupProgress(room.space_id) !== undefined)
  return (
    <>
      <RoomBeginning room={room} title={t('This is the beginning of #{room}', { room: roomName(room) })} />
      {isSettingUp && (
        <Suspense>
          <WelcomePanel room={room} />
        </Suspense>
      )}
    </>
  )
}

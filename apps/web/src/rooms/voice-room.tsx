import type { Room } from '@foyer/protocol/rooms'
import { Volume2 } from 'lucide-react'
import { roomName } from './room-name.ts'

export function VoiceRoom({ room }: { room: Room }) {
  return (
    <div className="pane-note">
      <span className="list-top-icon">
        <Volume2 aria-hidden="true" />
      </span>
      <h2>{roomName(room)}</h2>
      <p>Voice is not available yet on this server.</p>
    </div>
  )
}

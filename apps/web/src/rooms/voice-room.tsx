import type { Room } from '@foyer/protocol/rooms'
import { Volume2 } from 'lucide-react'

export function VoiceRoom({ room }: { room: Room }) {
  return (
    <div className="pane-note">
      <span className="list-top-icon">
        <Volume2 aria-hidden="true" />
      </span>
      <h2>{room.name}</h2>
      <p>Voice is not available yet on this server.</p>
    </div>
  )
}

import type { VoiceState } from '@foyer/protocol/voice'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { Moderation } from './moderation.tsx'
import './person-card.css'
import { VolumeField } from '../devices/volume-field.tsx'

interface PersonCardPopupProps {
  voice: VoiceState
  name: string
  side: 'inline-end' | 'top'
  popup: PopupAnchor
}

export function PersonCardPopup({ voice, name, side, popup }: PersonCardPopupProps) {
  return (
    <PopupPanel popup={popup} label={name} className="person-card" side={side}>
      <h2 className="person-card-name">
        <bdi>{name}</bdi>
      </h2>
      <VolumeField userId={voice.user_id} name={name} />
      <SpaceModeration voice={voice} />
    </PopupPanel>
  )
}

function SpaceModeration({ voice }: { voice: VoiceState }) {
  const rights = usePermissions(voice.space_id ?? '')
  const isOwners = useAppState((state) => state.spaces[voice.space_id ?? '']?.owner_id === voice.user_id)
  const member = useAppState((state) => state.members[voice.space_id ?? '']?.[voice.user_id])
  // The rank of a member who is not loaded is unknown here. The server checks it.
  const isBelow = member === undefined ? !isOwners : rights.outranks(member)
  if (voice.space_id === null || !rights.may('MoveMembers') || !isBelow) return null
  return <Moderation voice={voice} spaceId={voice.space_id} maySilence={rights.isAdministrator} />
}

import type { Conversation } from '@foyer/protocol/conversations'
import type { VoiceState } from '@foyer/protocol/voice'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { PersonCard } from '../people/person-card.tsx'
import { useVoiceNames } from '../people/use-voice-names.ts'
import { useSpeaks, VoiceFace } from '../people/voice-face.tsx'
import { VoiceMarks } from '../people/voice-marks.tsx'
import './call-people.css'

interface CallPeopleProps {
  conversation: Conversation
  voices: readonly VoiceState[]
  ringing: readonly string[]
}

/** Users in a call, and users for whom it still rings. */
export function CallPeople({ conversation, voices, ringing }: CallPeopleProps) {
  const nameOf = useVoiceNames(null, voices)
  const users = useAppState((state) => state.users)
  const awaited = conversation.recipients.filter(({ id }) => ringing.includes(id))
  return (
    <ul className="call-people" aria-label={t('In the call')}>
      {voices.map((voice) => (
        <li key={voice.user_id}>
          <Present voice={voice} name={nameOf(voice.user_id)} />
        </li>
      ))}
      {awaited.map((user) => (
        <li key={user.id} className="call-person" data-ringing>
          <Avatar id={user.id} name={personName(users[user.id] ?? user)} size="sm" />
          <span className="call-person-name" dir="auto">
            {personName(users[user.id] ?? user)}
          </span>
          <span className="call-person-note">{t('ringing…')}</span>
        </li>
      ))}
    </ul>
  )
}

function Present({ voice, name }: { voice: VoiceState; name: string }) {
  const speaks = useSpeaks(voice.user_id)
  return (
    <PersonCard voice={voice} name={name} className="call-person" side="top">
      <VoiceFace userId={voice.user_id} name={name} size="sm" />
      <span className="call-person-name" dir="auto">
        {name}
      </span>
      {speaks && <span className="visually-hidden">{`, ${t('speaking')}`}</span>}
      <VoiceMarks voice={voice} />
    </PersonCard>
  )
}

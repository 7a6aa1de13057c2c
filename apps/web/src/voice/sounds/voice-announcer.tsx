import type { VoiceState } from '@foyer/protocol/voice'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { useVoiceNames } from '../people/use-voice-names.ts'
import { voiceChannelId } from '../phases.ts'
import { useVoice } from '../use-voice.ts'
import { useSignal } from './use-signal.ts'

const NO_VOICES: readonly VoiceState[] = []
/** Maximum number of users in a room with sounds. With more users, joins and leaves are too frequent for a sound. */
const MAX_WITH_SOUND = 25

/** Announces joins and leaves of other users to screen readers, and plays a sound for them. */
export function VoiceAnnouncer() {
  const id = useVoice(({ status }) => voiceChannelId(status)) ?? ''
  const spaceId = useAppState((state) => state.rooms[id]?.space_id ?? null)
  const voices = useAppState((state) => voicesIn(state, id))
  const meId = useAppState((state) => state.me?.id)
  // The member lists request the unknown names.
  const nameOf = useVoiceNames(spaceId, NO_VOICES)
  const before = useRef<{ id: string; voices: readonly VoiceState[] }>({ id, voices })
  const [words, setWords] = useState('')
  const signal = useSignal()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed name needs no announcement
  useEffect(() => {
    const last = before.current
    before.current = { id, voices }
    if (last.id !== id) return
    const others = (list: readonly VoiceState[], known: readonly VoiceState[]) =>
      list.filter(({ user_id }) => user_id !== meId && !known.some((voice) => voice.user_id === user_id))
    const [came, gone] = [others(voices, last.voices), others(last.voices, voices)]
    if (came.length + gone.length === 0) return
    const announcements = [
      ...came.map(({ user_id }) => t('{name} joined.', { name: nameOf(user_id) })),
      ...gone.map(({ user_id }) => t('{name} left.', { name: nameOf(user_id) })),
    ]
    setWords(announcements.join(' '))
    if (voices.length <= MAX_WITH_SOUND) signal(came.length > 0 ? 'come' : 'go')
  }, [id, voices, meId])

  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  )
}

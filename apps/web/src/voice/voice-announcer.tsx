import type { VoiceState } from '@foyer/protocol/voice'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { placeId } from './phases.ts'
import { useSignal } from './use-signal.ts'
import { useVoice } from './use-voice.ts'
import { useVoiceNames } from './use-voice-names.ts'

const NOBODY: readonly VoiceState[] = []
/** In a crowd somebody comes and goes all the time. */
const MAX_HEARD = 25

/** Says who comes and goes where one is, to those who do not see it, and lets everybody hear that somebody does. */
export function VoiceAnnouncer() {
  const id = useVoice(({ status }) => placeId(status)) ?? ''
  const spaceId = useAppState((state) => state.rooms[id]?.space_id ?? null)
  const voices = useAppState((state) => voicesIn(state, id))
  const meId = useAppState((state) => state.me?.id)
  // The lists ask for those who are not known.
  const nameOf = useVoiceNames(spaceId, NOBODY)
  const before = useRef<{ id: string; voices: readonly VoiceState[] }>({ id, voices })
  const [words, setWords] = useState('')
  const signal = useSignal()

  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is no news
  useEffect(() => {
    const last = before.current
    before.current = { id, voices }
    if (last.id !== id) return
    const others = (list: readonly VoiceState[], known: readonly VoiceState[]) =>
      list.filter(({ user_id }) => user_id !== meId && !known.some((voice) => voice.user_id === user_id))
    const [came, gone] = [others(voices, last.voices), others(last.voices, voices)]
    if (came.length + gone.length === 0) return
    const news = [
      ...came.map(({ user_id }) => t('{name} joined.', { name: nameOf(user_id) })),
      ...gone.map(({ user_id }) => t('{name} left.', { name: nameOf(user_id) })),
    ]
    setWords(news.join(' '))
    if (voices.length <= MAX_HEARD) signal(came.length > 0 ? 'come' : 'go')
  }, [id, voices, meId])

  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  )
}

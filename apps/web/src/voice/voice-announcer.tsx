import type { VoiceState } from '@foyer/protocol/voice'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { placeId } from './phases.ts'
import { useVoice } from './use-voice.ts'
import { useVoiceNames } from './use-voice-names.ts'

const NOBODY: readonly VoiceState[] = []

/** Says who comes and goes where one is, to those who do not see it. */
export function VoiceAnnouncer() {
  const id = useVoice(({ status }) => placeId(status)) ?? ''
  const spaceId = useAppState((state) => state.rooms[id]?.space_id ?? null)
  const voices = useAppState((state) => voicesIn(state, id))
  const meId = useAppState((state) => state.me?.id)
  // The lists ask for those who are not known.
  const nameOf = useVoiceNames(spaceId, NOBODY)
  const before = useRef<{ id: string; voices: readonly VoiceState[] }>({ id, voices })
  const [words, setWords] = useState('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is no news
  useEffect(() => {
    const last = before.current
    before.current = { id, voices }
    if (last.id !== id) return
    const others = (list: readonly VoiceState[], known: readonly VoiceState[]) =>
      list.filter(({ user_id }) => user_id !== meId && !known.some((voice) => voice.user_id === user_id))
    const news = [
      ...others(voices, last.voices).map(({ user_id }) => t('{name} joined.', { name: nameOf(user_id) })),
      ...others(last.voices, voices).map(({ user_id }) => t('{name} left.', { name: nameOf(user_id) })),
    ]
    if (news.length > 0) setWords(news.join(' '))
  }, [id, voices, meId])

  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  )
}

import { useEffect } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { joined } from '#src/language/formats.ts'
import { counted, isolated, t } from '#src/language/texts.ts'
import { useKnownMembers } from '#src/members/use-known-members.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import './typing-line.css'
import { WaitLine } from './wait-line.tsx'

/** With more people typing, no names are shown. */
const MAX_NAMED = 3

const NOBODY: never[] = []

/** People who are typing, unless the user has to wait. */
export function TypingLine() {
  const { id: channelId, spaceId, nameOf } = useChannel()
  const { store } = useSession()
  const indicators = useAppState((state) => state.typing[channelId])
  const blocks = useAppState((state) => state.blocks)
  const users = useAppState((state) => state.users)
  const people = Object.entries(indicators ?? {}).filter(([id]) => !(id in blocks))
  const members = useKnownMembers(spaceId, people.length > MAX_NAMED ? NOBODY : people.map(([id]) => id))
  const next = Math.min(...people.map(([, indicator]) => indicator.until))

  useEffect(() => {
    if (!Number.isFinite(next)) return
    const expire = () => store.dispatch('typing_expired', { channel_id: channelId })
    const timer = setTimeout(expire, Math.max(0, next - serverNow()) + 20)
    return () => clearTimeout(timer)
  }, [store, channelId, next])

  const names = people.map(([id]) => {
    const member = members.get(id)
    const user = users[id] ?? member?.user
    return user === undefined ? t('Someone') : isolated(nameOf(user, member))
  })
  const recording = people.some(([, indicator]) => indicator.kind === 'recording')
  return (
    <WaitLine>
      {names.length > 0 && (
        <>
          <span className="typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span className="typing-names">{recording ? recordingWords(names) : typingWords(names)}</span>
        </>
      )}
    </WaitLine>
  )
}

function typingWords(names: readonly string[]): string {
  if (names.length > MAX_NAMED) return t('Several people are typing…')
  return counted(names.length, '{names} is typing…', '{names} are typing…', { names: joined(names) })
}

function recordingWords(names: readonly string[]): string {
  if (names.length > MAX_NAMED) return t('Several people are recording…')
  return counted(names.length, '{names} is recording…', '{names} are recording…', {
    names: joined(names),
  })
}

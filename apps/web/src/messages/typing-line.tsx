import { useEffect } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import './typing-line.css'

/** Who is typing. Its line is always there, so that nothing jumps. */
export function TypingLine() {
  const { id: channelId, nameOf } = useChannel()
  const { store } = useSession()
  const notices = useAppState((state) => state.typing[channelId])
  const users = useAppState((state) => state.users)
  const people = Object.entries(notices ?? {})
  const next = Math.min(...people.map(([, notice]) => notice.until))

  useEffect(() => {
    if (!Number.isFinite(next)) return
    const expire = () => store.dispatch('typing_expired', { channel_id: channelId })
    const timer = setTimeout(expire, Math.max(0, next - Date.now()) + 20)
    return () => clearTimeout(timer)
  }, [store, channelId, next])

  const names = people.map(([id]) => {
    const user = users[id]
    return user === undefined ? 'Somebody' : nameOf(user)
  })
  const recording = people.some(([, notice]) => notice.kind === 'recording')
  return (
    <p className="typing-line" role="status">
      {names.length > 0 && (
        <>
          <span className="typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span className="typing-names">{sentence(names, recording ? 'recording' : 'typing')}</span>
        </>
      )}
    </p>
  )
}

function sentence(names: readonly string[], doing: string): string {
  const [first, second, third] = names
  if (names.length > 3) return `Several people are ${doing}…`
  if (third !== undefined) return `${first}, ${second} and ${third} are ${doing}…`
  if (second !== undefined) return `${first} and ${second} are ${doing}…`
  return `${first} is ${doing}…`
}

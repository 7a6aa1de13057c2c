import { useEffect } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import './typing-line.css'

/** Who is typing. Its line is always there, so that nothing jumps. */
export function TypingLine({ roomId, nameOf }: { roomId: string; nameOf: NameLookup }) {
  const { store } = useSession()
  const notices = useAppState((state) => state.typing[roomId])
  const users = useAppState((state) => state.users)
  const people = Object.entries(notices ?? {})
  const next = Math.min(...people.map(([, notice]) => notice.until))

  useEffect(() => {
    if (!Number.isFinite(next)) return
    const expire = () => store.dispatch('typing_expired', { room_id: roomId })
    const timer = setTimeout(expire, Math.max(0, next - Date.now()) + 20)
    return () => clearTimeout(timer)
  }, [store, roomId, next])

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

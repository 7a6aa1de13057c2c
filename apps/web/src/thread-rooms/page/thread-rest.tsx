import { Lock, Moon } from 'lucide-react'
import type { ThreadEntry } from '#src/store/state.ts'
import { isAsleep } from '#src/thread-rooms/in-use/sleep.ts'
import { useNow } from '#src/ui/time/use-now.ts'
import { threadWords } from '../names/thread-words.ts'
import './thread-rest.css'

/** No event says that the quiet time of a thread has passed. */
const LOOK_EVERY_MS = 30_000

/** A line above the messages of a thread that sleeps or is closed. Without the right to write, the composer says the latter. */
export function ThreadRest({ entry, mayWrite }: { entry: ThreadEntry; mayWrite: boolean }) {
  const now = useNow(LOOK_EVERY_MS)
  const { is_closed } = entry.thread
  const words = threadWords(entry.thread)
  if (is_closed && !mayWrite) return null
  if (!is_closed && !isAsleep(entry, now)) return null
  return (
    <p className="thread-rest" role="status">
      {is_closed ? <Lock aria-hidden="true" /> : <Moon aria-hidden="true" />}
      <span>{is_closed ? words.isClosed : words.isAsleep}</span>
    </p>
  )
}

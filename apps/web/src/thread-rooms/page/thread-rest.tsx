import { Lock, Moon } from 'lucide-react'
import type { ThreadEntry } from '#src/store/state.ts'
import { isAsleep } from '#src/thread-rooms/in-use/sleep.ts'
import { useNow } from '#src/ui/time/use-now.ts'
import { threadWords } from '../names/thread-words.ts'
import './thread-rest.css'

/** Interval at which the thread is checked, because no event says that it has fallen asleep. */
const LOOK_EVERY_MS = 30_000

/** Says above the messages that a thread sleeps or is closed. Users who may not write see in the composer that it is closed. */
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

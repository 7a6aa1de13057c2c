import { ThreadsInUse } from '#src/thread-rooms/in-use/threads-in-use.tsx'
import { KnownStarters } from '#src/thread-rooms/starting/known-starters.tsx'

// One module for both: every lazy chunk adds its name to the first load.

/** Keeps threads up to date. Renders nothing. */
export function KnownThreads() {
  return (
    <>
      <ThreadsInUse />
      <KnownStarters />
    </>
  )
}

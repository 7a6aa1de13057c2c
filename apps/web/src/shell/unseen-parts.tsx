import { Ways } from '#src/shortcuts/ways.tsx'
import { ThreadsInUse } from '#src/thread-rooms/in-use/threads-in-use.tsx'
import { KnownStarters } from '#src/thread-rooms/starting/known-starters.tsx'

// All parts are in one module, because the name of every lazy chunk adds to the first load.

/** Parts of every page that show nothing: they keep threads up to date, and handle shortcuts to other rooms. */
export function UnseenParts() {
  return (
    <>
      <ThreadsInUse />
      <KnownStarters />
      <Ways />
    </>
  )
}

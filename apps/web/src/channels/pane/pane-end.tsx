import { Announcer } from '#src/messages/timeline/announcer.tsx'
import { FollowersLine } from './followers-line.tsx'
import { OnWebLine } from './on-web-line.tsx'

// All parts are in one module, because the name of every lazy chunk adds to the first load.

/** The last lines of a channel: its followers, a warning if it can be read on the web, and new messages for screen readers. */
export function PaneEnd() {
  return (
    <>
      <FollowersLine />
      <OnWebLine />
      <Announcer />
    </>
  )
}

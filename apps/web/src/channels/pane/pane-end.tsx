import { Announcer } from '#src/messages/timeline/announcer.tsx'
import { FollowersLine } from './followers-line.tsx'
import { OnWebLine } from './on-web-line.tsx'

// All parts are in one module, because the name of every lazy chunk adds to the first load.

/** The last part of a channel: who can read and who follows it, and new messages for screen readers. */
export function PaneEnd() {
  return (
    <>
      <FollowersLine />
      <OnWebLine />
      <Announcer />
    </>
  )
}

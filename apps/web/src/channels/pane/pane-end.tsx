import { Announcer } from '#src/messages/timeline/announcer.tsx'
import { OnWebLine } from './on-web-line.tsx'

// One module for both: every lazy chunk adds its name to the first load.

/** The last part of a channel: who can read it, and new messages for screen readers. */
export function PaneEnd() {
  return (
    <>
      <OnWebLine />
      <Announcer />
    </>
  )
}

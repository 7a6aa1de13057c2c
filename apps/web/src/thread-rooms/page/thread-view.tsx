import { BesideRoom, type BesideRoomProps } from './beside-room.tsx'
import { ThreadPage, type ThreadPageProps } from './thread-page.tsx'

// One module for both: every lazy chunk adds its name to the first load.

/** An open thread, beside its room or as a page. */
export function ThreadView(props: BesideRoomProps | ThreadPageProps) {
  return 'isGone' in props ? <BesideRoom {...props} /> : <ThreadPage {...props} />
}

import { BesideRoom, type BesideRoomProps } from './beside-room.tsx'
import { ThreadPage, type ThreadPageProps } from './thread-page.tsx'

// Both views are in one module, because the name of every lazy chunk adds to the first load.

/** An open thread, beside its room or as a page. */
export function ThreadView(props: BesideRoomProps | ThreadPageProps) {
  return 'isGone' in props ? <BesideRoom {...props} /> : <ThreadPage {...props} />
}

import type { OpenChannel } from '#src/channels/channel-context.ts'

/** The panel that a header button opens. */
export type SearchSide = 'search' | 'files'

export interface SearchSideProps {
  channel: OpenChannel
  /** The open panel, or null. */
  side: SearchSide | null
  turn: (side: SearchSide | null) => void
}

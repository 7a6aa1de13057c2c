import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import '#src/ui/skeleton.css'
import './pins-panel.css'

/** More than this are scrolled to. */
const MAX_CARDS = 4

/** The shape of the pinned messages: of as many as are known from the history that is loaded, and of one at least. */
export function PinsSkeleton() {
  const { id } = useChannel()
  const known = useAppState((state) => state.timelines[id]?.messages.filter(({ pinned }) => pinned).length)
  const cards = Math.min(Math.max(known ?? 0, 1), MAX_CARDS)
  return (
    <div className="pins-list" role="status" aria-label={t('Loading…')}>
      {Array.from({ length: cards }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are nothing but places
        <div key={place} className="pin pin-skeleton">
          <div className="skeleton-row">
            <span />
            <span />
          </div>
        </div>
      ))}
    </div>
  )
}

import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import '#src/ui/loading/skeleton.css'
import './pins-panel.css'

/** Maximum placeholder cards. More would not fit in the view. */
const MAX_CARDS = 4

/** Placeholder with one card per pinned message in the loaded history: at least one, at most MAX_CARDS. */
export function PinsSkeleton() {
  const { id } = useChannel()
  const known = useAppState((state) => state.timelines[id]?.messages.filter(({ pinned }) => pinned).length)
  const cards = Math.min(Math.max(known ?? 0, 1), MAX_CARDS)
  return (
    <div className="pins-list" role="status" aria-label={t('Loading…')}>
      {Array.from({ length: cards }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are never reordered
        <div key={index} className="pin pin-skeleton">
          <div className="skeleton-row">
            <span />
            <span />
          </div>
        </div>
      ))}
    </div>
  )
}

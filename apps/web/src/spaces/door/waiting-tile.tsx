import type { WaitingSpace } from '@foyer/protocol/door'
import { Clock } from 'lucide-react'
import { Picture } from '#src/images/picture.tsx'
import { t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { hueOf, initialsOf } from '#src/ui/marks/hue.ts'

/** The tile of a space that the user waits for. */
export function WaitingTile({ space, isCurrent }: { space: WaitingSpace; isCurrent: boolean }) {
  const label = t('{name} (you’re waiting to be let in)', { name: space.name })
  return (
    <Hint label={label} side="inline-end">
      <PageLink
        href={`/spaces/${space.id}`}
        className="space-tile"
        data-initials={initialsOf(space.name)}
        data-waiting
        style={{ '--hue': hueOf(space.id) }}
        aria-label={label}
        aria-current={isCurrent ? 'true' : undefined}
      >
        {space.icon !== null && <Picture key={space.icon} id={space.icon} />}
        <span className="space-tile-clock" aria-hidden="true">
          <Clock />
        </span>
      </PageLink>
    </Hint>
  )
}

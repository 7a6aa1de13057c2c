import {
  Apple,
  Clock,
  Flag,
  Hand,
  Lightbulb,
  type LucideIcon,
  PawPrint,
  Plane,
  Shapes,
  Smile,
  Sparkles,
  Trophy,
} from 'lucide-react'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import './group-links.css'
import type { TileGroup } from './tiles.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  recent: Clock,
  smileys: Smile,
  people: Hand,
  nature: PawPrint,
  food: Apple,
  travel: Plane,
  activities: Trophy,
  objects: Lightbulb,
  symbols: Shapes,
  flags: Flag,
}

interface GroupLinksProps {
  groups: readonly TileGroup[]
  /** The element that contains the groups. */
  panel: RefObject<HTMLElement | null>
}

/** Buttons that scroll to a group. */
export function GroupLinks({ groups, panel }: GroupLinksProps) {
  function show(id: string) {
    panel.current?.querySelector(`[data-group="${id}"]`)?.scrollIntoView({ block: 'start' })
  }

  return (
    <nav className="group-links" aria-label={t('Emoji categories')}>
      {groups.map(({ id, label }) => {
        const Icon = id.startsWith('space-') ? Sparkles : (icons[id] ?? Shapes)
        return (
          <button key={id} type="button" aria-label={label} title={label} onClick={() => show(id)}>
            <Icon aria-hidden="true" />
          </button>
        )
      })}
    </nav>
  )
}

import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useDoor } from '../../door/use-door.ts'
import './door.css'
import { DoorState } from './door-state.tsx'
import { NewcomerList } from './newcomer-list.tsx'
import { SensorFields } from './sensor-fields.tsx'

/** The door of the space, its newcomers, and the settings to close it automatically. */
export function DoorSection({ space }: { space: SpaceEntry }) {
  const { door, error, again } = useDoor(space.id)
  if (error !== null) return <LoadError message={error} again={again} />
  if (door === undefined) return <Skeleton />
  return (
    <>
      <DoorState door={door} />
      <NewcomerList space={space} />
      <section className="door-part" aria-labelledby="door-sensor">
        <h4 id="door-sensor">{t('In a raid')}</h4>
        <SensorFields door={door} />
      </section>
    </>
  )
}

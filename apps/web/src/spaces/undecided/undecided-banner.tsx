import { Flag } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import '../door/door-banner.css'
import { type SpaceDialog, SpaceDialogs } from '../space-dialogs.tsx'
import { sentencesOf } from './undecided-words.ts'
import { useUndecided } from './use-undecided.ts'

/** Banner above the messages of each room, shown to moderators while reports or appeals are pending. */
export function UndecidedBanner({ spaceId, roomId }: { spaceId: string; roomId: string }) {
  const counts = useUndecided(spaceId)
  const openDialog = useOpenDialog()
  if (counts.reports === 0 && counts.appeals === 0) return null

  function look(kind: SpaceDialog['kind']) {
    openDialog((close) => <SpaceDialogs dialog={{ kind, spaceId, roomId }} onClose={close} />)
  }

  return (
    <section className="door-banner" aria-label={t('Reports and appeals')}>
      <Flag aria-hidden="true" />
      <p className="door-banner-text" role="status">
        {sentencesOf(counts)}
      </p>
      <div className="door-banner-buttons">
        {counts.reports > 0 && <Button onClick={() => look('reports')}>{t('See reports')}</Button>}
        {counts.appeals > 0 && <Button onClick={() => look('bans')}>{t('See appeals')}</Button>}
      </div>
    </section>
  )
}

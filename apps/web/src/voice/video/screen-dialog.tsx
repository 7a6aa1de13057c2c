import { MonitorUp } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import './screen-dialog.css'
import { useVideo, useVideoControl } from './use-video.ts'
import { useMayShareSound } from './video-access.ts'

/** Asks how to share a screen, before the browser asks which one. */
export function ScreenDialog() {
  const video = useVideoControl()
  const isOpen = useVideo((view) => view.isChoosing)
  const { mode, sharesSound } = useVideo((view) => view.settings)
  const mayShareSound = useMayShareSound()
  const isOpening = useVideo(({ screen }) => screen.phase === 'opening')
  return (
    <Modal
      open={isOpen}
      onOpenChange={(open) => !open && video.closeChoice()}
      title={t('Share your screen')}
      description={t('Your browser then asks which screen, window or tab to share.')}
    >
      <div className="screen-dialog">
        <OptionCards
          label={t('Optimise for')}
          value={mode}
          options={[
            {
              value: 'text',
              label: t('Text'),
              description: t('Sharp letters. Best for documents and code.'),
            },
            {
              value: 'motion',
              label: t('Motion'),
              description: t('Smooth movement. Best for games and videos.'),
            },
          ]}
          onChange={(chosen) => video.changeSettings({ mode: chosen })}
        />
        {mayShareSound ? (
          <SwitchRow
            label={t('Share sound')}
            description={t('Sound of the shared tab or screen, where your browser can share it.')}
            checked={sharesSound}
            onChange={(isOn) => video.changeSettings({ sharesSound: isOn })}
          />
        ) : (
          <p>{t('Your screen is shared without sound: you don’t have permission to speak here.')}</p>
        )}
        <Button look="primary" pending={isOpening} onClick={() => void video.shareScreen(mayShareSound)}>
          <MonitorUp aria-hidden="true" /> {t('Choose what to share')}
        </Button>
      </div>
    </Modal>
  )
}

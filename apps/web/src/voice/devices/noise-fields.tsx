import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { quiet, setQuiet } from '../control/quiet/quiet.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import { quietWords } from './quiet-words.ts'
import { useQuiet } from './use-quiet.ts'

/** Choice between the browser's noise suppression and the strong one, which replaces it. */
export function NoiseFields() {
  const voice = useVoiceControl()
  const isPlainOn = useVoice(({ settings }) => settings.noiseSuppression)
  const { isOn, trouble } = useQuiet()

  function choose(strong: boolean) {
    setQuiet(strong)
    void voice.reopenMicrophone()
    if (strong) void loadAhead()
  }

  return (
    <>
      <SwitchRow
        label={t('Noise suppression')}
        description={t('Reduces background noise such as fans and keyboards.')}
        checked={isPlainOn}
        disabled={isOn && trouble === null}
        onChange={(noiseSuppression) => voice.changeSettings({ noiseSuppression })}
      />
      <SwitchRow
        label={t('Strong noise suppression')}
        description={t(
          'Removes almost everything but speech, in place of your browser’s noise suppression. Uses a little more power.',
        )}
        checked={isOn}
        onChange={choose}
      />
      {isOn && trouble !== null && (
        <p className="settings-note" role="alert">
          {quietWords[trouble]}{' '}
          {trouble === 'failed' && (
            <Button look="text" onClick={() => choose(true)}>
              {t('Try again')}
            </Button>
          )}
        </p>
      )}
    </>
  )
}

/** Loads the filter when the switch is turned on, so that a failure shows at once. */
async function loadAhead(): Promise<void> {
  try {
    const { loadRnnoise } = await import('../control/quiet/load-filter.ts')
    await loadRnnoise()
  } catch {
    quiet.setState({ trouble: 'failed' })
  }
}

import { Signal, SignalLow, SignalMedium } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import '#src/ui/buttons/icon-button.css'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { type QualityLevel, qualityFacts, qualityLevel } from './quality.ts'
import './quality-sign.css'
import { useVoice } from '../use-voice.ts'

const PopupPanel = lazyPopup(() =>
  import('#src/ui/popups/popup-panel.tsx').then((module) => module.PopupPanel),
)

const icons = { unknown: Signal, good: Signal, fair: SignalMedium, poor: SignalLow }

const words: Readonly<Record<QualityLevel, string>> = {
  unknown: t('Measuring connection…'),
  good: t('Connection: good'),
  fair: t('Connection: fair'),
  poor: t('Connection: poor'),
}

/** Connection quality, with its figures in a popup. */
export function QualitySign() {
  const quality = useVoice((view) => view.quality)
  const level = qualityLevel(quality)
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  const Icon = icons[level]
  return (
    <>
      <button
        type="button"
        {...trigger}
        className="icon-button quality-sign"
        data-level={level}
        aria-label={words[level]}
      >
        <Icon aria-hidden="true" />
      </button>
      {isWanted && (
        <PopupPanel popup={popup} label={words[level]} className="quality-card" side="top">
          <h2 className="quality-title">{words[level]}</h2>
          {quality !== undefined && (
            <ul>
              {qualityFacts(quality).map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          )}
        </PopupPanel>
      )}
    </>
  )
}

import { Hash } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { ClockField } from './clock-field.tsx'
import { LanguageField } from './language-field.tsx'
import '#src/messages/rows/message-row.css'
import { changeAppearance } from '#src/appearance/appearance.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import './appearance-section.css'
import { useAppearance } from '#src/appearance/use-appearance.ts'
import { ChoiceRow } from './choice-row.tsx'

const themes = [
  ['system', t('System')],
  ['light', t('Light')],
  ['dark', t('Dark')],
] as const

const contrasts = [
  ['system', t('System')],
  ['more', t('More')],
] as const

const textSizes = [
  ['14', t('Small')],
  ['15', t('Normal')],
  ['16', t('Large')],
  ['18', t('Very large')],
] as const

const densities = [
  ['comfortable', t('Comfortable')],
  ['compact', t('Compact')],
] as const

const motions = [
  ['system', t('System')],
  ['less', t('Less')],
] as const

/** Appearance settings of this browser. Changes apply immediately. */
export function AppearanceSection() {
  const { theme, contrast, textSize, density, motion } = useAppearance()
  return (
    <div className="appearance">
      <Preview />
      <ChoiceRow
        label={t('Theme')}
        options={themes}
        value={theme}
        onChange={(chosen) => changeAppearance({ theme: chosen })}
      />
      <ChoiceRow
        label={t('Contrast')}
        hint={t('Increases contrast of text and borders.')}
        options={contrasts}
        value={contrast}
        onChange={(chosen) => changeAppearance({ contrast: chosen })}
      />
      <ChoiceRow
        label={t('Text size')}
        options={textSizes}
        value={textSize}
        onChange={(chosen) => changeAppearance({ textSize: chosen })}
      />
      <ChoiceRow
        label={t('Messages')}
        options={densities}
        value={density}
        onChange={(chosen) => changeAppearance({ density: chosen })}
      />
      <ChoiceRow
        label={t('Motion')}
        hint={t('Turns off animations and autoplay.')}
        options={motions}
        value={motion}
        onChange={(chosen) => changeAppearance({ motion: chosen })}
      />
      <LanguageField />
      <ClockField />
      <p className="field-hint">{t('These settings apply to this browser only.')}</p>
    </div>
  )
}

/** Sample messages in the current appearance. */
function Preview() {
  return (
    <div className="appearance-preview" role="img" aria-label={t('Message preview')}>
      <p className="appearance-room" aria-hidden="true">
        <Hash /> {t('general')}
      </p>
      <SampleMessage name="Mira" time="9:41" text={t('Morning! The forecast for Sunday looks good.')} />
      <SampleMessage name="Jonas" time="9:42" text={t('Then let’s hike the ridge instead of the lake.')} />
    </div>
  )
}

function SampleMessage({ name, time, text }: { name: string; time: string; text: string }) {
  return (
    <div className="message" aria-hidden="true">
      <div className="message-gutter">
        <Avatar id={name} name={name} />
      </div>
      <div className="message-byline">
        <span className="message-author">{name}</span>
        <span className="message-time">{time}</span>
      </div>
      <div className="message-body">
        <span className="message-text">{text}</span>
      </div>
    </div>
  )
}

import type { ServerSetting, SettingSource } from '@foyer/protocol/server-settings'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useState } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useSectionLink } from '#src/ui/dialogs/section-links.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { Mark } from '../mark.tsx'
import { operatorWords } from '../words.ts'
import { matchingSettings } from './matching-settings.ts'

const ask = (client: Client, options: CallOptions) => client.api(Administration).getSettings(options)

/** The settings with which the server was started. They are changed on its machine. */
export function ServerSettings() {
  const { answer, again } = useAnswer(ask, operatorWords)
  const [query, setQuery] = useState('')
  return (
    <section className="operator-part" aria-labelledby="operator-settings">
      <h4 id="operator-settings">{t('Server settings')}</h4>
      <p className="settings-note">
        {t('Foyer reads its settings from the environment when it starts. Restart it after a change.')}
      </p>
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      {answer.state === 'loading' && <Skeleton />}
      {answer.state === 'here' && (
        <>
          <SearchField label={t('Find a setting')} value={query} onChange={setQuery} />
          <Settings settings={matchingSettings(answer.value.settings, query)} />
        </>
      )}
    </section>
  )
}

function Settings({ settings }: { settings: readonly ServerSetting[] }) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {counted(settings.length, '{count} setting', '{count} settings')}
      </p>
      {settings.length === 0 && <p className="settings-note">{t('No settings match.')}</p>}
      {settings.length > 0 && (
        <ul className="settings-list" aria-labelledby="operator-settings">
          {settings.map((setting) => (
            <Setting key={setting.variable} setting={setting} />
          ))}
        </ul>
      )}
    </>
  )
}

const sources: Record<SettingSource, string> = {
  environment: t('Environment'),
  file: t('File'),
  command_line: t('Command line'),
  default: t('Default'),
  console: t('Changed here'),
}

function Setting({ setting }: { setting: ServerSetting }) {
  const { variable, source, is_live, description } = setting
  const openRules = useSectionLink('registration')
  return (
    <li className="settings-row operator-row">
      <span className="settings-names">
        <span className="setup-setting">
          <code id={`setting-${variable}`}>{variable}</code>
          <Mark>{sources[source]}</Mark>
        </span>
        <span className="setup-value">{wordsFor(setting)}</span>
        <span className="settings-note" lang="en">
          {description}
        </span>
      </span>
      {is_live && openRules !== null && (
        <span className="settings-actions">
          <Button aria-describedby={`setting-${variable}`} onClick={openRules}>
            {t('Change')}
          </Button>
        </span>
      )}
    </li>
  )
}

/** Returns the value in words. */
function wordsFor({ variable, value, is_set, is_secret }: ServerSetting): string {
  if (is_secret) return is_set ? t('Set (hidden)') : t('Not set')
  if (value === null) return t('Not set')
  if (!variable.endsWith('_BYTES')) return value
  const bytes = Number(value)
  return bytes === 0 || Number.isNaN(bytes) ? value : formatSize(bytes)
}

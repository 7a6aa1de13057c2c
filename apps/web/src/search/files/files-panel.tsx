import { Tabs } from '@base-ui/react/tabs'
import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import '#src/ui/fields/field.css'
import '#src/ui/fields/select-field.css'
import { useFocusBack } from '#src/ui/focus/use-focus-back.ts'
import { useFocusedHeading } from '#src/ui/focus/use-focused-heading.ts'
import '#src/ui/tabs.css'
import '../search-panel.css'
import type { SearchScope } from '../use-search.ts'
import './files-panel.css'
import { FilesTab } from './files-tab.tsx'
import { type SharedKind, sharedKinds } from './shared-files.ts'

interface FilesPanelProps {
  scope: SearchScope
  channel: OpenChannel
  onClose: () => void
  /** Called when a message is opened. */
  onOpen: () => void
}

const LABELS: Readonly<Record<SharedKind, string>> = {
  media: t('Media'),
  files: t('Files'),
  links: t('Links'),
}

/** Pictures, files and links that people posted in this room or conversation, or in all rooms of the space. */
export function FilesPanel({ scope, channel, onClose, onOpen }: FilesPanelProps) {
  const [kind, setKind] = useState<SharedKind>('media')
  const [isEverywhere, setIsEverywhere] = useState(false)
  const heading = useFocusedHeading()
  const onFocus = useFocusBack(true)
  const isSpace = scope.kind === 'space'
  const roomId = isSpace && !isEverywhere ? channel.id : null
  const label = t('Files in {name}', { name: isEverywhere ? scope.name : channel.label })

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    onClose()
  }

  return (
    <aside
      className="search-panel"
      aria-label={label}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      data-keeps-focus
    >
      <header className="search-header files-header">
        <h2 ref={heading} tabIndex={-1}>
          {t('Files')}
        </h2>
        {isSpace && (
          <select
            aria-label={t('Show files of')}
            className="field-control select-field"
            value={isEverywhere ? 'all' : 'room'}
            onChange={({ target }) => setIsEverywhere(target.value === 'all')}
          >
            <option value="room">{channel.label}</option>
            <option value="all">{t('All rooms')}</option>
          </select>
        )}
        <IconButton label={t('Close files')} icon={<X />} onClick={onClose} />
      </header>
      <Tabs.Root className="files-tabs" value={kind} onValueChange={(value: SharedKind) => setKind(value)}>
        <Tabs.List className="tab-list" aria-label={t('Kinds of files')}>
          {sharedKinds.map((one) => (
            <Tabs.Tab key={one} className="tab" value={one}>
              {LABELS[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {sharedKinds.map((one) => (
          <Tabs.Panel key={one} value={one} className="files-tab-panel">
            <FilesTab
              key={roomId}
              scope={scope}
              roomId={roomId}
              kind={one}
              nameOf={channel.nameOf}
              onOpen={onOpen}
            />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </aside>
  )
}

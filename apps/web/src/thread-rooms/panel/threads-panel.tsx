import { Tabs } from '@base-ui/react/tabs'
import { Permission } from '@foyer/protocol/permissions'
import type { ThreadState } from '@foyer/protocol/thread-rooms'
import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import '#src/ui/tabs.css'
import { ThreadForm } from '../starting/thread-form.tsx'
import { ThreadsTab } from './threads-tab.tsx'

const TABS: readonly { readonly state: ThreadState; readonly label: string }[] = [
  { state: 'active', label: t('Active') },
  { state: 'asleep', label: t('Asleep') },
  { state: 'closed', label: t('Closed') },
]

/** The room's threads by state, and a form for a new one. */
export function ThreadsPanel({ onClose }: { onClose: () => void }) {
  const { id, spaceId, may } = useChannel()
  const [isNew, setIsNew] = useState(false)
  const [state, setState] = useState<ThreadState>('active')
  const panel = useRef<HTMLElement>(null)
  useFocusAfter(panel)
  const mayStart = may('CreateThreads') && may(Permission.SendMessages)
  const open = () => setIsNew(true)

  return (
    <section ref={panel} tabIndex={-1} className="threads" aria-label={t('Threads')}>
      <header className="threads-header">
        <h2>{isNew ? t('Start a thread') : t('Threads')}</h2>
        {mayStart && !isNew && (
          <Button onClick={open}>
            <Plus aria-hidden="true" /> {t('New thread')}
          </Button>
        )}
        <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
      </header>
      {isNew ? (
        <ThreadForm
          roomId={id}
          spaceId={spaceId ?? ''}
          onDone={onClose}
          onCancel={() => {
            setIsNew(false)
            panel.current?.focus()
          }}
        />
      ) : (
        <Tabs.Root
          className="threads-tabs"
          value={state}
          onValueChange={(value: ThreadState) => setState(value)}
        >
          <Tabs.List className="tab-list" aria-label={t('Threads')}>
            {TABS.map((tab) => (
              <Tabs.Tab key={tab.state} className="tab" value={tab.state}>
                {tab.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TABS.map((tab) => (
            <Tabs.Panel key={tab.state} value={tab.state} className="threads-tab">
              <ThreadsTab state={tab.state} onOpen={onClose} />
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      )}
    </section>
  )
}

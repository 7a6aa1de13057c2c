import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useInteractionsState } from '#src/commands/interactions/use-interactions-state.ts'
import { useAppState } from '#src/session/context.ts'
import { useShortcut, useShortcutKeys } from '#src/shortcuts/use-shortcut.ts'
import { rememberPath } from '#src/switcher/recent.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { fetchPopups, lazyPopup, useWanted } from '#src/ui/loading/lazy-popup.tsx'
import { isInVoice } from '#src/voice/phases.ts'
import { useVoice } from '#src/voice/use-voice.ts'

const QuickSwitcher = lazyPopup(() =>
  import('#src/switcher/quick-switcher.tsx').then((module) => module.QuickSwitcher),
)
const IncomingCalls = lazyPopup(() =>
  import('#src/voice/calls/incoming-calls.tsx').then((module) => module.IncomingCalls),
)
const VoiceKeeper = lazyPopup(() =>
  import('#src/voice/voice-keeper.tsx').then((module) => module.VoiceKeeper),
)
const InteractionModal = lazyPopup(() =>
  import('#src/commands/interactions/interaction-modal.tsx').then((module) => module.InteractionModal),
)
const ShortcutHelp = lazyComponent(() =>
  import('#src/shortcuts/shortcut-help.tsx').then((module) => module.ShortcutHelp),
)

/** Delay of preloads, to let the page itself load first. */
const POPUPS_AFTER_MS = 1500

/** The parts of every page: keyboard shortcuts and the dialogs they open, bots' forms, calls and voice. */
export function Keyboard() {
  const [open, setOpen] = useState<'switcher' | 'help' | null>(null)
  const isSwitcherWanted = useWanted(open === 'switcher')
  const isAsked = useInteractionsState(({ modal }) => modal !== null)
  const isIn = useVoice(({ status }) => isInVoice(status))
  const hasCalls = useAppState(({ calls }) => Object.keys(calls).length > 0)
  usePopupsSoon()
  useShortcutKeys()
  useShortcut('switcher', () => setOpen('switcher'))
  useShortcut('help', () => setOpen('help'))
  useRecent()
  return (
    <>
      {isSwitcherWanted && <QuickSwitcher open={open === 'switcher'} onClose={() => setOpen(null)} />}
      <Suspense>{open === 'help' && <ShortcutHelp onClose={() => setOpen(null)} />}</Suspense>
      {isAsked && <InteractionModal />}
      {isIn && <VoiceKeeper />}
      {hasCalls && <IncomingCalls />}
    </>
  )
}

/** Preloads the popups while the server is connected, to open even the first one instantly. */
function usePopupsSoon(): void {
  const isConnected = useAppState(({ connection }) => connection === 'ready')
  useEffect(() => {
    if (!isConnected) return
    const leaving = new AbortController()
    const timer = setTimeout(() => fetchPopups(leaving.signal), POPUPS_AFTER_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [isConnected])
}

/** Remembers visited rooms and conversations. The quick switcher lists them first. */
function useRecent(): void {
  const [here] = useLocation()
  useEffect(() => {
    const path = /^\/(spaces\/[^/]+\/rooms|conversations)\/[^/]+/.exec(here)?.[0]
    if (path !== undefined) rememberPath(path)
  }, [here])
}

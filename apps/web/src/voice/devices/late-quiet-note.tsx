import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

/** Loads by itself, so that the first load need not list its files. */
export const QuietNote = lazyPopup(() => import('./quiet-note.tsx').then((module) => module.QuietNote))

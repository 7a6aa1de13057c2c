import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

/** Loaded as a chunk of its own, so that the first load does not list its files. */
export const QuietNote = lazyPopup(() => import('./quiet-note.tsx').then((module) => module.QuietNote))

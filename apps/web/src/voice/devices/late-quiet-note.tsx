import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

/** A lazy note in a module of its own, so that the first load does not list the files of the note. */
export const QuietNote = lazyPopup(() => import('./quiet-note.tsx').then((module) => module.QuietNote))

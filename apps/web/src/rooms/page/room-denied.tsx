import { lazyAside } from '#src/ui/loading/lazy-popup.tsx'

/** Replaces the composer of a user who may not write in the room. */
export const RoomDenied = lazyAside(() => import('./denial.tsx').then((module) => module.Denial))

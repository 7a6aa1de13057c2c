// The process that forwards media: strangers' packets reach native code here. It keeps no more rights than that takes.

/** Not nobody's, as whom PostgreSQL runs where we are root: who breaks out of here reads no database. */
const UNPRIVILEGED_ID = 65533

await import('../sfu/main.ts')
// Once all is loaded: the source may be where only root can read it.
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(UNPRIVILEGED_ID)
  process.setuid?.(UNPRIVILEGED_ID)
}

// Only a module may wait at its top.
export {}

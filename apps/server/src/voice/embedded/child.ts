// The process that forwards media. Untrusted packets reach native code here, so it keeps only the rights it needs.

/** Not the user `nobody`, as which PostgreSQL runs under root: an exploit here must not read the database. */
const UNPRIVILEGED_ID = 65533

await import('../sfu/main.ts')
// Dropped when everything is loaded, because the source may be readable by root only.
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(UNPRIVILEGED_ID)
  process.setuid?.(UNPRIVILEGED_ID)
}

// Top-level await requires a module.
export {}

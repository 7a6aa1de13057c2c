// The process that forwards media. Untrusted packets reach native code here, so it keeps only the rights it needs.

/**
 * User and group id that this process takes if the server runs as root. PostgreSQL has other ids, so that an exploit
 * here cannot read the database.
 */
const UNPRIVILEGED_ID = 65533

await import('../sfu/main.ts')
// Root is dropped only after loading everything, because the source may be readable by root only.
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(UNPRIVILEGED_ID)
  process.setuid?.(UNPRIVILEGED_ID)
}

// Makes this file a module, which top-level await requires.
export {}

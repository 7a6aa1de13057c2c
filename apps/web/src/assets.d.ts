// Stylesheets are imported for their effect alone; the bundler links them.
declare module '*.css'

interface ImportMeta {
  /** What the bundler puts in. */
  readonly env: { readonly PROD: boolean }
}

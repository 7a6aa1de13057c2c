// Stylesheets are imported for their effect alone; the bundler links them.
declare module '*.css'

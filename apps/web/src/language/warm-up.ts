/**
 * Runs in a worker. For the first times that are written in a process, V8 looks through all languages that it knows, for some
 * 40 ms: here it does so while the page is at other things, which later finds it done.
 */
new Date().toLocaleTimeString()
close()

/** Of those that the run has, the one of this worker; whoever runs a test by hand has windows on his own. */
const displays = (process.env.ATELIER_TEST_DISPLAYS ?? '').split(',').filter(name => name !== '')
const own = displays[(Number(process.env.VITEST_POOL_ID) - 1) % displays.length]
if (own !== undefined) {
  process.env.DISPLAY = own
  delete process.env.WAYLAND_DISPLAY
}

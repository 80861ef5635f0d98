/** Of a service beside others: every port is free, and the engine is left to the tests. */
export const BESIDE_OTHERS = {
  ATELIER_PORT: '0',
  ATELIER_GATEWAY_PORT: '0',
  ATELIER_PREVIEW_PORT: '0',
  ATELIER_PREPARED_SANDBOXES: '0',
}

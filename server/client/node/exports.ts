/** The client of the service, as other programs import it in Node.js: `atelier/client`. */
export * from '../browser.ts'
export { type ConnectOptions, connect } from './connect.ts'

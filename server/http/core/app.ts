import express, { type Express } from 'express'
import { parseQuery } from './requests.ts'

/** As every port has it: it says nothing of what it is made with, and shows no stack of an error. */
export function createExpress(): Express {
  const app = express()
  app.set('env', 'production')
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', parseQuery)
  return app
}

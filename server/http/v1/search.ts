import type { Express } from 'express'
import { searchEverything } from '../../api/v1/system/search.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountSearch(app: Express, { search }: Pick<Services, 'search'>): void {
  mount(app, searchEverything, ({ query, signal }) => search.search(query, signal))
}

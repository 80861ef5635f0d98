export interface PageQuery {
  page_id?: string | null | undefined
  limit: number
}

export interface Page<Item> {
  items: Item[]
  next_page_id: string | null
}

/** A page id is the decimal offset of its first item; anything else is the first page. */
export function pageOf<Item>(all: readonly Item[], { page_id, limit }: PageQuery): Page<Item> {
  const start = /^\d+$/.test(page_id ?? '') ? Number(page_id) : 0
  const end = start + limit
  return { items: all.slice(start, end), next_page_id: end < all.length ? String(end) : null }
}

import { z } from 'zod'

/** Of the image in a file of a sandbox spec. Nothing else is in such a file. */
export const IMAGE_CONFIG = 'image/config.json'
/** Comes last. */
export const IMAGE_LAYERS = 'image/layers.json'

/** In the order in which they come, from 1. */
export function layerName(number: number): string {
  return `image/layers/${number}.tar`
}

/** Names of the layers, the lowest first; the same layer may be there more than once. */
export const imageLayers = z.object({ layers: z.array(z.string()) })
export type ImageLayers = z.output<typeof imageLayers>

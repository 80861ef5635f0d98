import type { z } from 'zod'

/** What differs between the git providers. */
export interface Provider {
  /** As people write it. */
  title: string
  /** Where it is when no host is given. */
  host: string
  /** Base of the HTTP API of an installation, without a slash at its end. */
  api(origin: URL): string
  /** The header by which the API knows a token. */
  authorization(token: string): string
  /** How git presents a token. */
  credentials(token: string): GitCredentials
  /** Where git finds a repository `owner/name`; absent is `owner/name.git` under the installation. */
  repositoryUrl?(origin: URL, repository: string): string
  /** The provider's software at a host of one's own, where it is another one. */
  selfHosted?: Provider
  /** Path of "who am I" under the API. */
  userPath: string
  /** What tells its answer from any other page, read as the user's name. */
  user: z.ZodType<string>
  /** Header that names the user, where the body does not. */
  userHeader?: string
  /** Signing in with a code that a person enters in a browser; absent where the provider has none. */
  deviceFlow?: DeviceFlow
}

/** The endpoints of RFC 8628 under the installation's address. */
export interface DeviceFlow {
  codePath: string
  tokenPath: string
  /** What is asked for. */
  scope: string
}

export interface GitCredentials {
  username: string
  password: string
}

export function bearer(token: string): string {
  return `Bearer ${token}`
}

export function basic({ username, password }: GitCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** An installation's address without a slash at its end; some live in a folder of their host. */
export function baseOf(origin: URL): string {
  return `${origin.origin}${origin.pathname.replace(/\/+$/, '')}`
}

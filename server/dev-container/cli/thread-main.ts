// First, before anything of the other runs.
import './confine.ts'
import '@devcontainers/cli/dist/spec-node/devContainersSpecCLI.js'

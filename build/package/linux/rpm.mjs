import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from '../../machine/command.mjs'
import { debVersion } from './deb.mjs'
import { changelog, inFolder, layOut, license, normalize, write } from './tree.mjs'

/**
 * An RPM package from the packaged folder, with rpmbuild. What it requires are the libraries that its programs name, so that it
 * installs wherever they are, whatever a distribution calls their packages. It has no scripts, as its file triggers do that work.
 * @param {import('./tree.mjs').Source} source
 * @param {string} folder where the file is put
 * @returns {Promise<string>} the file
 */
export async function makeRpm(source, folder) {
  const architecture = process.arch === 'x64' ? 'x86_64' : 'aarch64'
  const name = `atelier-${debVersion(source.version)}-1.${architecture}.rpm`
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  await inFolder(async work => {
    const root = join(work, 'root')
    const share = join(root, 'usr', 'share')
    await layOut({ app: join(root, 'opt', 'Atelier'), share, type: 'rpm' }, source)
    write(join(share, 'licenses', 'atelier', 'LICENSE'), license())
    write(join(share, 'doc', 'atelier', 'CHANGELOG.md.gz'), changelog())
    mkdirSync(join(root, 'usr', 'bin'), { recursive: true })
    symlinkSync('/opt/Atelier/bin/atelier', join(root, 'usr', 'bin', 'atelier'))
    normalize(root, source.epoch)
    const spec = join(work, 'atelier.spec')
    write(spec, specOf(source))
    const macros = { _topdir: join(work, 'build'), _rpmdir: work, _build_name_fmt: name, _dbpath: join(work, 'db') }
    await run(
      'rpmbuild',
      [
        '-bb',
        '--quiet',
        '--target',
        architecture,
        ...Object.entries(macros).flatMap(([macro, value]) => ['--define', `${macro} ${value}`]),
        '--define',
        `staged ${root}`,
        spec,
      ],
      { env: { ...process.env, SOURCE_DATE_EPOCH: String(source.epoch) }, quiet: true },
    )
    copyFileSync(join(work, basename(file)), file)
  })
  return file
}

/** @param {import('./tree.mjs').Source} source */
function specOf({ version, release }) {
  return `# The same contents are the same bytes: neither the time nor the machine of the build is in the package.
%global _buildhost localhost
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global source_date_epoch_from_changelog 0
%global _binary_payload ${release ? 'w19.zstdio' : 'w1.gzdio'}
# Electron is shipped as its makers built it.
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
# Its own libraries are for itself alone.
%global __provides_exclude_from ^/opt/Atelier/.*$
%global __requires_exclude ^lib(ffmpeg|EGL|GLESv2|vulkan|vk_swiftshader)\\\\.so.*$

Name: atelier
Version: ${debVersion(version)}
Release: 1
Summary: Runs software-development agents on your own machine
License: MIT
Group: Development/Tools
Recommends: (docker or moby-engine or podman)
Recommends: gnome-keyring
Recommends: git
Recommends: xdg-utils

%description
Each conversation works in a sandbox of its own, keys stay in the keychain of
the system, and other programs use the same service through a documented API
on localhost. There is no account and no telemetry.

%install
cp -a %{staged}/. %{buildroot}

%files
/opt/Atelier
# Where a system forbids user namespaces, Chromium's sandbox needs this helper to be setuid root.
%attr(4755, root, root) /opt/Atelier/chrome-sandbox
/usr/bin/atelier
# Of programs that need not be installed: what nobody owns would stay behind when the package is erased.
%dir /usr/share/bash-completion
%dir /usr/share/bash-completion/completions
%dir /usr/share/fish
%dir /usr/share/fish/vendor_completions.d
%dir /usr/share/kio
%dir /usr/share/kio/servicemenus
%dir /usr/share/nemo
%dir /usr/share/nemo/actions
%dir /usr/share/zsh
%dir /usr/share/zsh/site-functions
/usr/share/applications/atelier.desktop
/usr/share/bash-completion/completions/atelier
/usr/share/doc/atelier
/usr/share/fish/vendor_completions.d/atelier.fish
/usr/share/icons/hicolor/*/apps/atelier.*
%license /usr/share/licenses/atelier
/usr/share/kio/servicemenus/atelier.desktop
/usr/share/man/man1/atelier.1.gz
/usr/share/metainfo/dev.atelier.app.metainfo.xml
/usr/share/nemo/actions/atelier.nemo_action
/usr/share/zsh/site-functions/_atelier
`
}

/** Programs that read, compute, build or test, and that no rule of their own describes. */
const KNOWN = new Set(
  `ls ll la pwd cat head tail wc sort uniq cut tr rev tac nl fold fmt paste join comm column expand unexpand pr split csplit
  grep egrep fgrep zgrep rg ag ack fd fdfind tree stat file du df diff cmp sdiff colordiff patch basename dirname realpath readlink
  true false test [ : sleep date cal seq yes bc dc expr factor uname hostname whoami id groups users who w uptime arch nproc free
  vmstat iostat ps top htop pgrep lsof ss netstat which whereis type hash help man info apropos clear tput stty reset tty locale
  md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 base32 xxd od hexdump strings iconv dos2unix unix2dos
  gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zip unzip unrar 7z jq yq xmllint xsltproc csvtool less more pg
  mkdir touch mktemp read shift return break continue local let getopts wait jobs fg bg disown umask ulimit times dirs pushd popd shopt
  declare typeset readonly unset export set printf echo exit logout bind complete compgen compopt history caller printenv env
  make gmake cmake ctest ninja meson bazel bazelisk buck scons autoconf automake autoreconf libtool configure pkg-config
  gcc g++ cc c++ clang clang++ clang-format clang-tidy ld ar ranlib nm objdump readelf strip size gdb lldb valgrind gcov lcov
  cargo rustc rustfmt clippy-driver rustup go gofmt goimports golangci-lint staticcheck dlv zig swift swiftc
  java javac jar javadoc mvn mvnw gradle gradlew ant kotlin kotlinc scala scalac sbt groovy dotnet msbuild nuget
  node deno bun npm yarn pnpm npx tsc tsx ts-node vite vitest jest mocha ava tap karma cypress playwright eslint prettier biome
  stylelint webpack rollup esbuild swc babel parcel next nuxt astro remix ng vue svelte-kit turbo nx lerna tsup c8 nyc oxlint knip
  storybook typedoc madge depcruise husky lint-staged nodemon serve http-server live-server json-server
  python python2 python3 pypy pypy3 pytest py.test tox nox unittest coverage mypy pyright pyre ruff flake8 pylint black isort yapf
  bandit pre-commit sphinx-build mkdocs jupyter ipython pip pip3 pipx poetry pipenv pdm hatch uv uvx conda mamba virtualenv venv
  django-admin flask uvicorn gunicorn hypercorn celery alembic
  ruby irb rake rspec rubocop bundle gem rails minitest php composer phpunit phpstan psalm pint artisan phpcs perl prove cpan lua luac
  busted luacheck R Rscript julia ghc ghci cabal stack hlint elixir mix iex erl rebar3 ocaml opam dune nim crystal shards dart flutter
  clojure clj lein protoc buf flatc thrift shellcheck shfmt bats hadolint yamllint actionlint markdownlint vale
  git gh hub tig svn hg sqlite3 psql mysql mongosh redis-cli ffmpeg ffprobe convert magick identify pandoc pdftotext pdflatex latexmk dot
  graphviz plantuml mermaid-cli mmdc hyperfine wrk ab hey k6 time tokei cloc scc ctags cscope
  cd alias unalias trap kill pkill killall command builtin exec eval source . xargs find sed awk gawk mawk nawk tee cp mv rm rmdir ln
  chmod chown chgrp install dd tar rsync curl wget openssl gpg ssh-keygen crontab tmux screen vi vim nvim nano ed ex emacs
  apt-cache dpkg-query rpmquery lsb_release getent getconf lscpu lsblk lsusb lspci dmesg journalctl
  xvfb-run dbus-run-session Xvfb chromium google-chrome firefox sh bash dash zsh ksh ash fish mapfile readarray enable coproc [[`.split(
    /\s+/,
  ),
)

/** Shell builtins and text tools whose arguments are no files. */
const NO_FILES = new Set(
  'echo printf true false : test [ [[ export alias unalias cd ls ll stat file tree du touch mkdir rm rmdir find git gh chmod chown unset local declare typeset readonly which type command hash trap kill eval exec npm yarn pnpm npx pushd popd basename dirname realpath readlink let expr set'.split(
    ' ',
  ),
)

export function isKnownProgram(name: string): boolean {
  return KNOWN.has(name) || /^(python|pip|pypy|php|ruby|gcc|g\+\+|clang|node|lua|java)[\d.-]+$/.test(name)
}

export function takesNoFiles(name: string): boolean {
  return NO_FILES.has(name)
}

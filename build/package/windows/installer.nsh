; Links that begin with atelier: and the entry "Open with Atelier" of folders, for whom the app is installed; both go with it.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\atelier" "" "URL:Atelier"
  WriteRegStr SHELL_CONTEXT "Software\Classes\atelier" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\atelier\DefaultIcon" "" "$INSTDIR\Atelier.exe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\atelier\shell\open\command" "" '"$INSTDIR\Atelier.exe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Atelier" "" "Open with Atelier"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Atelier" "Icon" "$INSTDIR\Atelier.exe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Atelier\command" "" '"$INSTDIR\Atelier.exe" "--folder=%V"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\atelier"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Directory\shell\Atelier"
  ; The start at log-in that a person has chosen in the settings.
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "dev.atelier.app"
!macroend

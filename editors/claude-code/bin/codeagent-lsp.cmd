@echo off
rem Starts the program of this name that is installed; else that of version 0.1.0, which uvx or npx fetch once.
setlocal
rem never from the repository that is open
set NoDefaultCurrentDirectoryInExePath=1
for %%I in (%~n0.exe) do if not "%%~$PATH:I"=="" (
    "%%~$PATH:I" %*
    exit /b
)
if "%~1"=="--nudge" exit /b 0
for %%I in (uvx.exe) do if not "%%~$PATH:I"=="" (
    "%%~$PATH:I" --python ">=3.11,<3.15" --from codeagentd==0.1.0 %~n0 %*
    exit /b
)
for %%I in (npx.cmd) do if not "%%~$PATH:I"=="" (
    call "%%~$PATH:I" --yes --package codeagentd@0.1.0 %~n0 %*
    exit /b
)
echo %~n0: codeagentd is not installed, and there is no uvx or npx to fetch it: install uv, or pipx install codeagentd 1>&2
exit /b 127

-- Starts the language server of codeagentd, which lsp/codeagentd.lua describes. Remove this file to start it yourself.
if vim.lsp.enable then
  vim.lsp.enable('codeagentd')
end

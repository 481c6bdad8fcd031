-- The language server of codeagentd. `vim.lsp.config('codeagentd', {...})` in your init.lua changes what is here.
local ids = $ids
local ids_of_names = $ids_of_names

local function language_id(buffer)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
  return ids_of_names[name] or ids[(name:match('%.[^.]+$') or ''):lower()]
end

return {
  cmd = $argv,
  cmd_env = $env,
  root_dir = function(buffer, start)
    if vim.bo[buffer].buftype == '' and language_id(buffer) then
      start(vim.fs.root(buffer, '.git') or vim.fn.getcwd())
    end
  end,
  get_language_id = function(buffer, filetype)
    return language_id(buffer) or filetype
  end,
}

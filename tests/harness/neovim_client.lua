-- What tests have Neovim do, in the way that its users do it. `Editor.obey` takes an order and returns an answer as JSON.
Editor = {}

local PATIENCE_MS = 15000
local get_clients = vim.lsp.get_clients or vim.lsp.get_active_clients

local function awaited(what, found)
  local value
  vim.wait(PATIENCE_MS, function()
    value = found()
    return value
  end, 5)
  return value or error(what .. ' did not come')
end

local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
end

local function here()
  local cursor = vim.api.nvim_win_get_cursor(0)
  return { vim.api.nvim_buf_get_name(0), cursor[1] - 1, cursor[2] }
end

local function places(items)
  return vim.tbl_map(function(item)
    return { item.filename or vim.api.nvim_buf_get_name(item.bufnr), item.lnum - 1, item.col - 1, item.text }
  end, items)
end

local function listed(ask)
  local items
  ask({ on_list = function(list) items = list.items end })
  return places(awaited('a list', function() return items end))
end

function Editor.open(path)
  if vim.api.nvim_buf_get_name(0) ~= path then
    vim.cmd('edit ' .. vim.fn.fnameescape(path))
  end
  awaited('the language server', function()
    local client = get_clients({ bufnr = 0 })[1]
    return client and (client.initialized or client.server_capabilities.definitionProvider)
  end)
end

function Editor.at(path, line, column)
  Editor.open(path)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
end

function Editor.definition()
  local start = vim.json.encode(here())
  vim.lsp.buf.definition()
  awaited('a jump', function() return vim.json.encode(here()) ~= start end)
  return here()
end

function Editor.references()
  return listed(function(options) vim.lsp.buf.references(nil, options) end)
end

function Editor.outline()
  return listed(vim.lsp.buf.document_symbol)
end

function Editor.callers()
  vim.fn.setqflist({})
  vim.lsp.buf.incoming_calls()
  awaited('a caller', function() return #vim.fn.getqflist() > 0 end)
  local found = places(vim.fn.getqflist())
  vim.cmd('cclose')
  return found
end

function Editor.hover()
  vim.lsp.buf.hover()
  local window = awaited('a hover', function()
    return vim.tbl_filter(function(each) return vim.api.nvim_win_get_config(each).relative ~= '' end, vim.api.nvim_list_wins())[1]
  end)
  local text = text_of(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_close(window, true)
  return text
end

-- all buffers as their files are
function Editor.forget()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].modified then
      vim.api.nvim_buf_call(buffer, function() vim.cmd('silent edit!') end)
    end
  end
end

-- the texts of the changed buffers by their files, which are as they were afterwards
function Editor.rename(name)
  local before = text_of(0)
  vim.lsp.buf.rename(name)
  awaited('the new name', function() return text_of(0) ~= before end)
  local texts = vim.empty_dict()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].modified then
      texts[vim.api.nvim_buf_get_name(buffer)] = text_of(buffer)
    end
  end
  Editor.forget()
  return texts
end

-- type a line below the cursor
function Editor.type(line)
  vim.cmd('normal! o' .. line)
  return here()
end


function Editor.messages()
  return vim.fn.execute('messages')
end

function Editor.obey(order)
  local asked = vim.json.decode(order)
  local is_done, result = pcall(Editor[asked.name], unpack(asked.arguments))
  return vim.json.encode(is_done and { result = result == nil and vim.NIL or result } or { error = tostring(result) })
end

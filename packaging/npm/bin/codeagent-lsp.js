#!/usr/bin/env node
'use strict';

require('../lib/start.js').start('codeagent-lsp', process.argv.slice(2));

#!/usr/bin/env node
'use strict';

require('../lib/start.js').start('codeagent-mcp', process.argv.slice(2));

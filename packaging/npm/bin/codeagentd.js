#!/usr/bin/env node
'use strict';

require('../lib/start.js').start('codeagentd', process.argv.slice(2));

/** Where commands print: results to standard output and nothing beside them there. */
package org.fibnuma.bench.output;

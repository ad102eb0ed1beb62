/** What one message of remote memory costs in its parts: headers, formats, regions. */
package org.fibnuma.bench.wire;

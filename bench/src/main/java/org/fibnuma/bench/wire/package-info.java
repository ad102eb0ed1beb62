/** The cost of the parts of a remote memory message: headers, formats, regions. */
package org.fibnuma.bench.wire;

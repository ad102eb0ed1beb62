/** The cost of the parts of a remote memory message: headers, formats, regions. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.wire;

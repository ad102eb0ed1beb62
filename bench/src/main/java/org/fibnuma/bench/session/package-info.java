/** The cost of a fibnuma session without a port. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.session;

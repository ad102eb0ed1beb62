/** The cost of a fibnuma session without a port. */
package org.fibnuma.bench.session;

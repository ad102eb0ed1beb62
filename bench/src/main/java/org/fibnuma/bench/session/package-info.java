/** What a fibnuma session costs, without a port. */
package org.fibnuma.bench.session;

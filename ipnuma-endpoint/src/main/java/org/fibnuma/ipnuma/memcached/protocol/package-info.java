/** Request lines of memcached's text protocol: tokens, numbers as C reads them, and the flags of meta commands. */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.memcached.protocol;
